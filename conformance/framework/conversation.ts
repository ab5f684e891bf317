// A shared informer of the recordings with its environment.
import { AlreadyRunningError, silentLog } from "@listwatch/core-fifo";
import { SimulatedClock, seededRandom } from "@listwatch/core-fifo/testing";
import type { ReflectorErrorContext } from "@listwatch/reflector";
import {
  clientGoInformerBehaviour,
  Informer,
  ReflectorSource,
  SharedInformer,
  waitForCacheSync,
  type HandlerRegistration,
  type Syncable,
} from "@listwatch/shared-informer";
import { namespaceIndex, type IndexFunction } from "@listwatch/store-indexer";
import { RecordedHandler } from "./recorded-handler.ts";
import { ScriptedSource } from "./scripted-source.ts";
import { count, text } from "./values.ts";
import { describeFailure, digest, widgetTransform, type Widget } from "./widgets.ts";

export type Fields = Readonly<Record<string, unknown>>;

const indexFunctions: Readonly<Record<string, IndexFunction<Widget, string>>> = {
  ...namespaceIndex,
  color: (object) => object.spec?.colors,
};

function indexersNamed(names: unknown): Record<string, IndexFunction<Widget, string>> {
  const wanted = Array.isArray(names) ? names : [];
  return Object.fromEntries(
    Object.entries(indexFunctions).filter(([name]) => wanted.includes(name)),
  );
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}

function whenAborted(signal: AbortSignal, action: () => void): void {
  if (signal.aborted) action();
  else signal.addEventListener("abort", action, { once: true });
}

/** A shared informer with its environment: the server, the user and the clock. */
export class Conversation {
  readonly #clock = new SimulatedClock();
  readonly #source: ScriptedSource;
  readonly #reflecting: ReflectorSource<Widget>;
  readonly #informer: Informer<Widget, Record<string, string>>;
  readonly #stop = new AbortController();
  readonly #handlers = new Map<string, RecordedHandler>();
  readonly #registrations = new Map<string, HandlerRegistration>();
  readonly #pollMs = 100;
  #errors: Fields[] = [];
  #waits: Record<string, Fields> = {};
  #result: string | undefined;
  #stepMs = 0;
  #state: "created" | "running" | "stopped" | "stopping" = "created";

  constructor(options: Fields) {
    this.#source = new ScriptedSource(this.#clock, {
      watchListSupported: options["watchList"] !== false,
    });
    const telemetry = { log: silentLog };
    // The parts of a SharedInformer, which has no option for the expected type.
    this.#reflecting = new ReflectorSource<Widget>({
      listerWatcher: this.#source,
      clock: this.#clock,
      random: seededRandom(1),
      telemetry,
      cache: { transform: widgetTransform(options["transform"]) },
      watch: { expectedType: { apiVersion: "example.com/v1", kind: "Widget" } },
      behaviour: clientGoInformerBehaviour,
    });
    this.#informer = new Informer<Widget, Record<string, string>>(this.#reflecting, {
      clock: this.#clock,
      indexers: indexersNamed(options["indexers"]),
      resyncMs: numberOr(options["resyncMs"], 0),
      telemetry,
      onError: (error, origin) => {
        if (origin.kind === "watch") this.#noteError(error, origin);
      },
    });
    if (options["startCancelled"] === true) this.#stop.abort();
  }

  async perform(step: Fields): Promise<void> {
    this.#source.beginStep();
    this.#stepMs = this.#clock.now();
    this.#errors = [];
    this.#waits = {};
    this.#result = undefined;
    await this.#act(step);
    await this.#clock.settle();
  }

  /** Returns the state to compare after a step, by member of its `expect`. */
  observed(): Fields {
    const { cancelled, streamStopped } = this.#source.happenings;
    return {
      cancelled,
      streamStopped,
      errors: this.#errors,
      waits: this.#waits,
      result: this.#result,
      ...this.#observedState(),
    };
  }

  get requests(): ScriptedSource["happenings"]["requests"] {
    return this.#source.happenings.requests;
  }

  takeNotifications(): ReadonlyMap<string, readonly unknown[]> {
    return new Map([...this.#handlers].map(([name, handler]) => [name, handler.takeCalls()]));
  }

  #observedState(): Fields {
    const informer = this.#informer;
    return {
      store: Object.fromEntries(informer.store.listKeys().map((key) => [key, this.#digestOf(key)])),
      lastSyncRV: this.#reflecting.lastSyncResourceVersion,
      storeRV: informer.lastStoreSyncResourceVersion,
      synced: informer.hasSynced,
      handlerSynced: Object.fromEntries(
        [...this.#registrations].map(([name, { hasSynced }]) => [name, hasSynced]),
      ),
      indexes: Object.fromEntries(
        Object.keys(informer.store.getIndexers()).map((name) => [name, this.#indexContent(name)]),
      ),
      pending: this.#source.pending,
      state: this.#state,
      isStopped: informer.isStopped,
    };
  }

  #digestOf(key: string): string | null {
    const object = this.#informer.store.getByKey(key);
    return object === undefined ? null : digest(object);
  }

  #indexContent(name: string): Fields {
    const { store } = this.#informer;
    const values = store.listIndexFuncValues(name);
    return Object.fromEntries(values.map((value) => [value, store.indexKeys(name, value)]));
  }

  #noteError(error: unknown, { operation, recovery }: ReflectorErrorContext): void {
    // The recorded library calls its handler only when list and watch fail as a whole.
    if (recovery !== "relist") return;
    const phase = { list: "list", replace: "sync", openWatch: "watch" };
    if (operation !== "list" && operation !== "replace" && operation !== "openWatch") return;
    const at = this.#sinceStepMs();
    this.#errors.push({
      phase: phase[operation],
      ...describeFailure(error),
      ...(at === 0 ? {} : { at }),
    });
  }

  #sinceStepMs(): number {
    return this.#clock.now() - this.#stepMs;
  }

  async #act(step: Fields): Promise<void> {
    switch (step["do"]) {
      case "start":
        this.#start();
        break;
      case "startAgain":
        this.#result = "hangs";
        // client-go logs that it is already running, and returns.
        void this.#informer.run(this.#stop.signal).catch((error: unknown) => {
          if (error instanceof AlreadyRunningError) this.#result = "returned";
        });
        break;
      case "stop":
        if (this.#state === "running") this.#state = "stopping";
        this.#stop.abort();
        break;
      case "advance":
        await this.#clock.advance(count(step, "ms"));
        break;
      case "await":
        await this.#clock.advance(count(step, "maxMs"));
        break;
      case "waitForSync":
        this.#wait(step);
        break;
      case "call":
        this.#call(step);
        break;
      default:
        if ("name" in step) await this.#actOnHandler(step, text(step, "name"));
        else this.#source.perform(step);
    }
  }

  #start(): void {
    this.#state = "running";
    void this.#informer.run(this.#stop.signal).then(() => (this.#state = "stopped"));
  }

  async #actOnHandler(step: Fields, name: string): Promise<void> {
    switch (step["do"]) {
      case "addHandler":
        this.#addHandler(step, name);
        break;
      case "removeHandler":
        void this.#registrations.get(name)?.remove();
        this.#result = "ok";
        break;
      case "blockHandler":
        this.#handlers.get(name)?.block();
        break;
      case "unblockHandler":
        this.#handlers.get(name)?.unblock();
        break;
      case "releaseHandler":
        for (let left = count(step, "count"); left > 0; left--) {
          this.#handlers.get(name)?.release();
          await this.#clock.settle();
        }
        break;
      default:
        throw new TypeError(`Couldn't perform the step: unknown ${String(step["do"])}`);
    }
  }

  #addHandler(step: Fields, name: string): void {
    const { resyncMs, sameAs } = step;
    const same = typeof sameAs === "string" ? this.#handlers.get(sameAs) : undefined;
    const recorded =
      same ??
      new RecordedHandler(
        {
          sinceStepMs: () => this.#sinceStepMs(),
          look: (key, object) => this.#look(key, object),
        },
        step,
      );
    this.#attempt(() => {
      const registration = this.#informer.addEventHandler(recorded.handler, {
        name,
        resyncMs: typeof resyncMs === "number" ? resyncMs : undefined,
      });
      this.#registrations.set(name, registration);
      if (same === undefined) this.#handlers.set(name, recorded);
    });
    // Only failures are recorded.
    if (this.#result === "ok") this.#result = undefined;
  }

  #look(key: string, object: Widget): Fields {
    const { store } = this.#informer;
    const filed = Object.entries(store.getIndexers()).map(([name, indexFunction]) => {
      const values = [indexFunction(object)].flat();
      const keys = values.map((value) => [String(value), store.indexKeys(name, String(value))]);
      return [name, Object.fromEntries(values[0] === undefined ? [] : keys)] as const;
    });
    return { store: this.#digestOf(key), ...Object.fromEntries(filed) };
  }

  #wait(step: Fields): void {
    const name = text(step, "name");
    const on: Syncable[] = (Array.isArray(step["on"]) ? step["on"] : []).map((item) => {
      const syncable = item === "informer" ? this.#informer : this.#registrations.get(String(item));
      if (syncable === undefined) throw new TypeError(`Couldn't wait for ${String(item)}`);
      return syncable;
    });
    const end = (result: boolean): void => {
      this.#waits[name] = { result, at: this.#sinceStepMs() };
    };
    if (step["mode"] === "poll") this.#poll(on, end);
    else
      void waitForCacheSync(on, { signal: this.#stop.signal }).then(
        () => end(true),
        // client-go waits for the stop even when a handler was removed and can no longer sync.
        () => whenAborted(this.#stop.signal, () => end(false)),
      );
  }

  #poll(on: readonly Syncable[], end: (result: boolean) => void): void {
    const { signal } = this.#stop;
    const look = (): void => {
      signal.removeEventListener("abort", giveUp);
      if (on.every(({ hasSynced }) => hasSynced)) end(true);
      else if (signal.aborted) end(false);
      else {
        const timer = this.#clock.setTimeout(look, this.#pollMs);
        cancel = () => timer.cancel();
        signal.addEventListener("abort", giveUp, { once: true });
      }
    };
    let cancel = (): void => {};
    const giveUp = (): void => {
      cancel();
      end(false);
    };
    look();
  }

  #call(step: Fields): void {
    switch (step["method"]) {
      case "setTransform":
        this.#attempt(() => this.#reflecting.setTransform(widgetTransform("count")));
        break;
      case "setWatchErrorHandler":
        this.#attempt(() => {
          this.#reflecting.setWatchErrorHandler((error, context) =>
            this.#noteError(error, context),
          );
        });
        break;
      case "addIndexers":
        this.#attempt(() => this.#informer.addIndexers(indexersNamed(step["indexers"])));
        break;
      case "removeForeignHandle":
        this.#attempt(() => {
          const other = new SharedInformer<Widget>({ listerWatcher: this.#source });
          void other.addEventHandler({}).remove();
        });
        break;
      default:
        throw new TypeError(`Couldn't call ${String(step["method"])}`);
    }
  }

  #attempt(action: () => unknown): void {
    try {
      action();
      this.#result = "ok";
    } catch {
      this.#result = "error";
    }
  }
}

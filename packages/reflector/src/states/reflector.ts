import { AlreadyRunningError, ListwatchError, type KubernetesObject } from "@listwatch/core-fifo";
import { trace, linkAbort, provideDispose, signalIn } from "@listwatch/core-fifo/base";
import type { ReflectorOptions } from "../options/options.ts";
import type { ReflectorStatus } from "../options/status.ts";
import { createServices, type RunContext, type Services } from "../services/services.ts";
import { list } from "./listing.ts";
import { stop, type State } from "./state.ts";
import { streamList } from "./streaming-list.ts";
import { beginList, wait } from "./waiting.ts";
import { watch } from "./watching.ts";

provideDispose();

/** A run that has not ended. */
interface Running {
  readonly ended: Promise<void>;
  /** Ends it; it resolves. */
  readonly abort: () => void;
  /** Ends it; it rejects. */
  readonly fail: (reason: unknown) => void;
}

/**
 * Keeps a store in step with a collection on an API server: it lists, then follows the changes, and
 * starts over whenever something goes wrong, for as long as it runs. No failure of the network or
 * the server ends it.
 *
 * Guaranteed: the states of one object reach the store in the server's order, some may be skipped,
 * none is repeated out of order; whatever happened before, the store equals the server once it is
 * reachable and quiet. Not guaranteed: that every state is seen, or that a deletion is seen as such
 * (it may come as a `replace` without the object).
 *
 * ```ts
 * import { createConnection } from "@listwatch/client";
 * import { RealFIFO } from "@listwatch/core-fifo";
 * import { httpListerWatcher, Reflector } from "@listwatch/reflector";
 *
 * const connection = createConnection({
 *   server: "http://127.0.0.1:8001",
 *   fetch: async () => Response.json({ kind: "Status", code: 403 }, { status: 403 }),
 * });
 * const reflector = new Reflector({
 *   listerWatcher: httpListerWatcher({
 *     connection,
 *     resource: { group: "", version: "v1", resource: "pods" },
 *   }),
 *   store: new RealFIFO(),
 *   onError: (_error, { attempts }) => (attempts === 1 ? "stop" : "retry"),
 * });
 * const reason = await reflector.run().catch((error: unknown) => error);
 * if (!(reason instanceof Error)) throw new Error("unreachable");
 * ```
 */
export class Reflector<T extends KubernetesObject = KubernetesObject> implements AsyncDisposable {
  readonly #services: Services<T>;
  #state: State<T> = { kind: "idle" };
  #running: Running | undefined;

  /** @throws {InvalidOptionsError} if an option has none of its values, or is missing */
  constructor(options: ReflectorOptions<T>) {
    this.#services = createServices(options, (reason) => this.#running?.fail(reason));
  }

  /** Name of the reflector, as in the option `name`. */
  get name(): string {
    return this.#services.settings.name;
  }

  /**
   * The state that the store has been brought to; `""` before the first list. Survives the end of a
   * run.
   */
  get lastSyncResourceVersion(): string {
    return this.#services.history.current.resourceVersion;
  }

  /** How it is, as of now. */
  status(): ReflectorStatus {
    const { history, reports } = this.#services;
    const state = this.#state;
    const connection = state.kind === "watching" ? state.connection : undefined;
    // A watch that has lasted shows that what failed before is over, before anything happens on it.
    const hasLasted =
      (state.kind === "watching" || state.kind === "streamingList") &&
      state.connection?.hasLasted === true &&
      !reports.areWatchesSilent;
    return {
      name: this.name,
      phase: state.kind,
      silentUntilMs: connection?.deadline.silentUntilMs,
      waitingUntilMs: state.kind === "waiting" ? state.delay?.untilMs : undefined,
      ...history.current,
      ...reports.current,
      ...(hasLasted ? { attempts: 0, failingSinceMs: undefined } : {}),
    };
  }

  /**
   * Runs until the signal is aborted; resolves when everything that it started has ended.
   *
   * After its end it can be run again, over the same store, as often as wanted. A later run goes on
   * from where the last one ended: it requests a list that is not older than the store, passes it
   * to `replace`, and remembers what it has learned of the server and its failures. Until that list
   * arrives the store shows the state in which the last run left it.
   *
   * @throws {AlreadyRunningError} if an earlier run has not ended
   * @throws the error for which `onError` said "stop", or what `onError` threw
   */
  async run(signal?: AbortSignal): Promise<void> {
    if (this.#running !== undefined) {
      throw new AlreadyRunningError(this.name, "an earlier run has not ended");
    }
    const link = linkAbort(signal);
    const { promise, resolve } = Promise.withResolvers<void>();
    let stopped: { readonly reason: unknown } | undefined;
    this.#running = {
      ended: promise,
      abort: () => link.abort(),
      fail: (reason) => {
        stopped ??= { reason };
        link.abort(reason);
      },
    };
    try {
      await this.#runStates({ ...this.#services, signal: link.signal });
    } finally {
      link.release();
      this.#state = stop(this.#state);
      this.#running = undefined;
      this.#services.reports.close();
      this.#failWaits();
      resolve();
    }
    if (stopped !== undefined) throw stopped.reason;
  }

  /**
   * Resolves once the store has been brought to this resourceVersion or a later one, so that a
   * program that received it from a write can read what it wrote.
   *
   * @throws {ResourceVersionError} if it is not a resourceVersion
   * @throws {ListwatchError} with the code `LW_REFLECTOR_STOPPED` if the run ends before, or has
   *   ended; before the first run it waits
   * @throws the signal's reason when it is aborted before
   */
  async waitForResourceVersion(
    resourceVersion: string,
    options?: {
      /** Ends the wait, which rejects with the reason of the signal. @default none */
      readonly signal?: AbortSignal | undefined;
    },
  ): Promise<void> {
    const signal = signalIn(options);
    const reached = this.#services.history.waiters.wait(resourceVersion, { signal });
    // A version that was reached already has resolved the wait before this.
    if (this.#state.kind === "stopped" && this.#running === undefined) this.#failWaits();
    return reached;
  }

  /** Stops the run, if there is one, and waits for its end. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#running?.abort();
    await this.#running?.ended;
  }

  async #runStates(context: RunContext<T>): Promise<void> {
    context.history.noteGap();
    this.#state = beginList(context);
    while (this.#state.kind !== "stopped") this.#state = await step(context, this.#state);
  }

  #failWaits(): void {
    const error = new ListwatchError(
      "LW_REFLECTOR_STOPPED",
      `Cannot wait for a resourceVersion: expected ${this.name} to run, but it has stopped`,
    );
    this.#services.history.waiters.end(error);
  }
}

/**
 * Does one thing, such as a request, the reading of one connection or a wait, and returns the next
 * state. Every way to end a run leads through here: a step that is interrupted by the end of the
 * run returns any state, and the next step closes what that state holds.
 */
async function step<T extends KubernetesObject>(
  context: RunContext<T>,
  state: State<T>,
): Promise<State<T>> {
  if (context.signal.aborted) return stop(state);
  switch (state.kind) {
    case "idle":
    case "stopped":
      return beginList(context);
    case "listing":
      return traceList(context, false, () => list(context, state));
    case "streamingList":
      // The request that opens the stream has a separate span.
      if (state.connection === undefined) return streamList(context, state);
      return traceList(context, true, () => streamList(context, state));
    case "watching":
      return watch(context, state);
    case "waiting":
  }
  return wait(context, state);
}

function traceList<T>(
  { settings: { name }, traces }: RunContext<T>,
  streamed: boolean,
  work: () => Promise<State<T>>,
): Promise<State<T>> {
  if (traces === undefined) return work();
  const attributes = { "listwatch.reflector": name, "listwatch.streamed": streamed };
  return trace(traces, `list ${name}`, attributes, async (span) => {
    const next = await work();
    span.set("listwatch.next", next.kind);
    return next;
  });
}

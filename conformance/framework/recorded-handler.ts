// Handlers of the shared-informer recordings: they record their calls, and block or throw on
// demand.
import { filteringHandler, type ResourceEventHandler } from "@listwatch/shared-informer";
import { digest, widgetKey, type Widget } from "./widgets.ts";

export interface HandlerContext {
  /** Time since the beginning of the step, in ms. */
  readonly sinceStepMs: () => number;
  /** Returns the cached state of an object and its indexes. */
  readonly look: (key: string, object: Widget) => unknown;
}

/** Behaviour that a case requests. */
export interface HandlerBehaviour {
  readonly inspect?: unknown;
  readonly filterMinN?: unknown;
  readonly panicOn?: unknown;
  readonly mode?: unknown;
}

/** One handler with its recent calls. */
export class RecordedHandler {
  readonly handler: ResourceEventHandler<Widget>;
  readonly #context: HandlerContext;
  readonly #behaviour: HandlerBehaviour;
  #calls: unknown[] = [];
  #blocked: boolean;
  #inProgress: (() => void)[] = [];

  constructor(context: HandlerContext, behaviour: HandlerBehaviour) {
    this.#context = context;
    this.#behaviour = behaviour;
    this.#blocked = behaviour.mode === "blocked";
    const { filterMinN } = behaviour;
    const recorder = this.#recorder();
    this.handler =
      typeof filterMinN === "number"
        ? filteringHandler(recorder, { filter: (object) => (object.spec?.n ?? 0) >= filterMinN })
        : recorder;
  }

  /** Returns the calls since the previous call of this method. */
  takeCalls(): readonly unknown[] {
    const calls = this.#calls;
    this.#calls = [];
    return calls;
  }

  block(): void {
    this.#blocked = true;
  }

  /** Lets the running callback finish; the next one blocks again. */
  release(): void {
    const waiting = this.#inProgress;
    this.#inProgress = [];
    for (const finish of waiting) finish();
  }

  unblock(): void {
    this.#blocked = false;
    this.release();
  }

  #recorder(): ResourceEventHandler<Widget> {
    return {
      onAdd: (object, isInInitialList) =>
        this.#record(widgetKey(object), object, ["add", digest(object), isInInitialList]),
      onUpdate: (old, object) =>
        this.#record(
          widgetKey(object),
          object,
          ["update", digest(old), digest(object)],
          old === object,
        ),
      onDelete: ({ key, object, stale }) => {
        if (object === undefined)
          throw new Error(`Couldn't record the delete of ${key}: no object`);
        return this.#record(key, object, [stale ? "tombstone" : "delete", digest(object)]);
      },
    };
  }

  #record(
    key: string,
    object: Widget,
    [type, ...rest]: readonly unknown[],
    same = false,
  ): Promise<void> | undefined {
    const { inspect, panicOn } = this.#behaviour;
    const at = this.#context.sinceStepMs();
    const details = {
      ...(at === 0 ? {} : { at }),
      ...(same ? { same } : {}),
      ...(inspect === true ? { seen: this.#context.look(key, object) } : {}),
    };
    const call = [type, key, ...rest];
    this.#calls.push(Object.keys(details).length === 0 ? call : [...call, details]);
    if (typeof panicOn === "string" && key.endsWith(panicOn)) throw new Error("told to fail");
    if (!this.#blocked) return undefined;
    return new Promise((resolve) => this.#inProgress.push(resolve));
  }
}

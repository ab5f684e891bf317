import { InvalidOptionsError } from "@listwatch/core-fifo";
import {
  createInvalidOptionError,
  onAborted,
  provideDispose,
  aBoolean,
  aNumber,
  aSignal,
  aString,
  checkOptions,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import type { UnsyncedReason } from "./wait-for-cache-sync.ts";
import type { ProcessorListener } from "./processor-listener.ts";
import type { Syncable } from "./wait-for-cache-sync.ts";

provideDispose();

/** A handler that was added to an informer. */
export interface HandlerRegistration extends AsyncDisposable {
  /** Name for reports and metrics. */
  readonly name: string;
  /** Waiting events, without the one being processed. */
  readonly backlog: number;
  /**
   * Whether the informer has synced and the handler has processed all objects that existed when it
   * was added. Never becomes false again.
   */
  readonly hasSynced: boolean;
  /**
   * Resolves when {@link HandlerRegistration.hasSynced} becomes true. Rejects if the handler ends
   * before.
   */
  readonly synced: Promise<void>;
  /** Returns why it has not synced, for an error message. */
  explainUnsynced?(): UnsyncedReason;
  /**
   * Removes the handler. It is not called again, its waiting events are dropped, and the promise
   * resolves when the running callback has returned. Idempotent, allowed at any time. Do not await
   * it inside a callback of the same handler. Before the first `await` of the callback it then
   * rejects with the code `LW_WAITS_FOR_ITSELF`; after that each would wait for the other.
   */
  remove(): Promise<void>;
}

/** Options of {@link Informer.addEventHandler}. */
export interface HandlerOptions {
  /**
   * Name for reports and metrics.
   *
   * @default the name of the handler's class, otherwise `handler-1` and so on
   */
  readonly name?: string | undefined;
  /**
   * Period in which the handler gets every object again, in milliseconds; 0 means never. Raised to
   * one second, and to the period in which a running informer checks. An informer without
   * `resyncMs` never resyncs. A period is skipped while objects of the last resync wait for the
   * handler.
   *
   * @default the informer's `resyncMs`
   */
  readonly resyncMs?: number | undefined;
  /**
   * Whether the handler only gets changes: no update for an object that a relist repeats in the
   * same state, and no resync. Excludes `resyncMs`.
   *
   * @default false, a relist is an update of every object, as in client-go
   */
  readonly changesOnly?: boolean | undefined;
  /**
   * Number of events of this handler, including the one being processed, above which the informer
   * stops applying changes until the handler has caught up. 0 makes the informer wait for every
   * batch. This delays every other handler of the informer.
   *
   * @default Infinity, a slow handler only costs memory
   */
  readonly maxBacklog?: number | undefined;
  /** Removes the handler when it is aborted. @default none */
  readonly signal?: AbortSignal | undefined;
}

const handlerTable: OptionsOf<HandlerOptions> = {
  name: aString,
  resyncMs: aNumber(0),
  changesOnly: aBoolean,
  maxBacklog: aNumber(0),
  signal: aSignal,
};

const callbacks = ["onAdd", "onUpdate", "onDelete"];

/**
 * Whether a handler has a callback, or no members at all. One with misspelt names would never be
 * called.
 */
function isHandler(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return callbacks.some((name) => name in value) || Object.keys(value).length === 0;
}

/**
 * Checks a handler. It must be an object: a function would never be called. Accepts any value, for
 * programs without types.
 *
 * @throws {InvalidOptionsError} if the handler or one of its options cannot be used
 */
export function checkHandler(handler: unknown, options: HandlerOptions): void {
  if (!isHandler(handler)) {
    throw createInvalidOptionError(
      "handler",
      "an object with onAdd, onUpdate or onDelete",
      handler,
    );
  }
  checkOptions(options, handlerTable);
  if (options.changesOnly === true && (options.resyncMs ?? 0) > 0) {
    throw new InvalidOptionsError(
      "Cannot add an event handler: expected changesOnly or resyncMs, got both: a resync " +
        "delivers objects that have not changed",
    );
  }
}

/** Returns the class name of a handler, unless it is a plain object. */
export function classNameOf(handler: object): string | undefined {
  const { constructor } = handler;
  if (typeof constructor !== "function") return undefined;
  return constructor.name === "Object" || constructor.name === "" ? undefined : constructor.name;
}

/** An informer, as far as a registration uses it. */
interface RegisteringInformer<T> extends Syncable {
  removeListener(listener: ProcessorListener<T>): Promise<void>;
}

/** Registration of a {@link ProcessorListener}. It is also removed when `signal` is aborted. */
export class ListenerRegistration<T> implements HandlerRegistration {
  readonly #listener: ProcessorListener<T>;
  readonly #informer: RegisteringInformer<T>;

  constructor(
    listener: ProcessorListener<T>,
    informer: RegisteringInformer<T>,
    signal: AbortSignal | undefined,
  ) {
    this.#listener = listener;
    this.#informer = informer;
    if (signal === undefined) return;
    const removeListener = onAborted(signal, () => void this.remove());
    // The signal may outlive the informer.
    void listener.ended.then(removeListener);
  }

  get name(): string {
    return this.#listener.name;
  }

  get backlog(): number {
    return this.#listener.backlog;
  }

  get hasSynced(): boolean {
    return this.#listener.hasSynced;
  }

  get synced(): Promise<void> {
    return this.#listener.synced;
  }

  explainUnsynced(): UnsyncedReason {
    const { hasSynced, name } = this.#informer;
    if (hasSynced) {
      return { reason: `processing the first list, ${this.backlog} events of which wait` };
    }
    const { error, reason } = this.#informer.explainUnsynced?.() ?? { reason: "not synced" };
    return { reason: `${name}: ${reason}`, error };
  }

  remove(): Promise<void> {
    return this.#informer.removeListener(this.#listener);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.remove();
  }
}

import { InvalidOptionsError } from "@listwatch/core-fifo";
import {
  checkAtLeast,
  createInvalidOptionError,
  onAborted,
  provideDispose,
} from "@listwatch/core-fifo/base";
import type { UnsyncedReason } from "./not-synced-error.ts";
import type { ProcessorListener } from "./processor-listener.ts";
import type { Syncable } from "./wait-for-cache-sync.ts";

provideDispose();

/** A handler's place at an informer. */
export interface HandlerRegistration extends AsyncDisposable {
  /** Name for reports and metrics. */
  readonly name: string;
  /** Events that wait for the handler, without the one in progress. */
  readonly backlog: number;
  /**
   * Whether the informer has synced and the handler has processed everything that existed when it
   * was added. Never goes back.
   */
  readonly hasSynced: boolean;
  /**
   * Resolves when {@link HandlerRegistration.hasSynced} turns true; rejects if the handler ends
   * before.
   */
  readonly synced: Promise<void>;
  /** Returns why it has not synced, for the reader of an error. */
  explainUnsynced?(): UnsyncedReason;
  /**
   * Removes the handler: it is not called again, what waits for it is dropped, and the promise
   * resolves when the callback in progress has returned. Idempotent, possible at any time. Do not
   * await it inside a callback of the same handler: they would wait for each other.
   */
  remove(): Promise<void>;
}

/** Options of {@link Informer.addEventHandler}. */
export interface HandlerOptions {
  /**
   * Name for reports and metrics. @default the name of the handler's class, otherwise `handler-1`
   * and so on
   */
  readonly name?: string | undefined;
  /**
   * How often the handler gets every object again, in milliseconds; 0 means never. Raised to one
   * second, and to the period in which a running informer checks. An informer without `resyncMs`
   * never resyncs.
   *
   * @default the informer's `resyncMs`
   */
  readonly resyncMs?: number | undefined;
  /**
   * Whether the handler gets changes only: no update for an object that a relist brought again in
   * the same state, and no resync. Not with `resyncMs`.
   *
   * @default false: a relist is an update of every object, as in client-go
   */
  readonly changesOnly?: boolean | undefined;
  /**
   * Events of this handler, with the one in progress, above which the informer applies no further
   * change until the handler has caught up; 0 makes the informer wait for every batch. It delays
   * every other handler of this informer.
   *
   * @default Infinity: a slow handler costs memory only
   */
  readonly maxBacklog?: number | undefined;
  /** Removes the handler when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

const callbacks = ["onAdd", "onUpdate", "onDelete"];

/** Whether a handler has a callback, or nothing at all: one with misspelt names is never called. */
function isHandler(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return callbacks.some((name) => name in value) || Object.keys(value).length === 0;
}

/**
 * Checks a handler, which must be an object: a function would never be called. Takes anything, for
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
  checkAtLeast("resyncMs", options.resyncMs, 0);
  checkAtLeast("maxBacklog", options.maxBacklog, 0);
  if (options.changesOnly === true && (options.resyncMs ?? 0) > 0) {
    throw new InvalidOptionsError(
      "Cannot add an event handler: expected changesOnly or resyncMs, got both: a resync " +
        "delivers objects that have not changed",
    );
  }
}

/** The name of the class of a handler, unless it is a plain object. */
export function classNameOf(handler: object): string | undefined {
  const { constructor } = handler;
  if (typeof constructor !== "function") return undefined;
  return constructor.name === "Object" || constructor.name === "" ? undefined : constructor.name;
}

/** The registration of a {@link ProcessorListener}, which it removes with `signal` too. */
export class ListenerRegistration<T> implements HandlerRegistration {
  readonly #listener: ProcessorListener<T>;
  readonly #informer: Syncable;
  readonly #remove: () => Promise<void>;

  constructor(
    listener: ProcessorListener<T>,
    informer: Syncable,
    remove: () => Promise<void>,
    signal: AbortSignal | undefined,
  ) {
    this.#listener = listener;
    this.#informer = informer;
    this.#remove = remove;
    if (signal === undefined) return;
    const removeListener = onAborted(signal, () => void remove());
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
    return this.#remove();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#remove();
  }
}

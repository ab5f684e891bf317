import type { ProcessorListener } from "./processor-listener.ts";

/** A handler's place at an informer. */
export interface HandlerRegistration extends AsyncDisposable {
  /** Name for reports and metrics. */
  readonly name: string;
  /** Notifications that wait for the handler, without the one in progress. */
  readonly backlog: number;
  /**
   * Whether the informer has synced and the handler has been through everything that was there when
   * it came (SI-13). Never goes back.
   */
  readonly hasSynced: boolean;
  /**
   * Resolves when {@link HandlerRegistration.hasSynced} turns true; rejects if the handler's end
   * comes before.
   */
  readonly synced: Promise<void>;
  /**
   * Takes the handler away: it is not called again, what waits for it is dropped, and the promise
   * resolves when the callback in progress has returned. Idempotent, possible at any time (SI-15,
   * SI-31). Do not await it inside a callback of the same handler: they would wait for each other.
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
   * How often the handler wants to see every object again, in ms; 0 means never. Raised to one
   * second, and to the period in which a running informer checks (SI-18, SI-19). An informer
   * without `resyncMs` never resyncs (SI-17).
   *
   * @default the informer's `resyncMs`
   */
  readonly resyncMs?: number | undefined;
  /**
   * Notifications of this handler, with the one in progress, above which the informer applies no
   * further change until the handler has caught up; 0 makes it wait for every batch. It holds up
   * everybody else on this informer.
   *
   * @default Infinity: a slow handler costs memory only (SI-23)
   */
  readonly maxBacklog?: number | undefined;
  /** Removes the handler when it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** The registration of a {@link ProcessorListener}. */
export class ListenerRegistration<T> implements HandlerRegistration {
  readonly #listener: ProcessorListener<T>;
  readonly #remove: () => Promise<void>;

  constructor(listener: ProcessorListener<T>, remove: () => Promise<void>) {
    this.#listener = listener;
    this.#remove = remove;
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

  remove(): Promise<void> {
    return this.#remove();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#remove();
  }
}

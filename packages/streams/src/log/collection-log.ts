import type { Cached } from "@listwatch/core-fifo";
import { Deque } from "@listwatch/core-fifo/base";
import type {
  AddListenerOptions,
  InformerEvent,
  Listener,
  ProblemReason,
  SourceStatus,
} from "@listwatch/shared-informer";

/** An informer whose collection is sent: any `Informer`, including views. */
export interface StreamedInformer {
  /** Adds a mailbox for the objects of the informer, and fills it with the content of the cache. */
  addListener(listener: never, options?: AddListenerOptions): void;
  /** Removes a mailbox. Resolves when it has ended. */
  removeListener(listener: never): Promise<void>;
  /** Returns the current state, of which pages get the reason of a problem. */
  status(): SourceStatus;
}

/** A change of an object, as all streams see it. */
export interface Change {
  readonly log: CollectionLog;
  readonly key: string;
  /** Its state before; `undefined` if there was none. */
  readonly old: Cached<object> | undefined;
  /** Its state after; `undefined` if there is none. */
  readonly object: Cached<object> | undefined;
  /** The messages of the change, by the fields of their objects. */
  readonly frames: Map<unknown, string>;
}

/** A change in the log: the state before it shows whether a page had the object. */
interface Entry {
  readonly change: number;
  readonly key: string;
  readonly old: Cached<object> | undefined;
}

/** Parts of a {@link CollectionLog}. */
interface CollectionLogParts {
  readonly name: string;
  readonly informer: StreamedInformer;
  /** Greatest number of changes in the log. */
  readonly maxEntries: number;
  /** Returns the number of a new change. */
  readonly count: () => number;
  readonly onChange: (change: Change) => void;
  readonly onSynced: () => void;
  readonly onEnd: () => void;
}

/** The objects of one informer, and its last changes. */
export class CollectionLog implements Listener<object> {
  readonly name: string;
  readonly backlog: number = 0;
  /** The current objects: references to those of the informer, in step with the log. */
  readonly objects: Map<string, Cached<object>> = new Map();
  readonly #parts: CollectionLogParts;
  readonly #entries = new Deque<Entry>();
  /** Number of the last change that has left the log. */
  #forgotten = 0;
  #isSynced = false;
  #isEnded = false;

  constructor(parts: CollectionLogParts) {
    this.name = parts.name;
    this.#parts = parts;
  }

  /** Whether all objects of the informer are known. */
  get isSynced(): boolean {
    return this.#isSynced;
  }

  /** Whether the informer has ended. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Reason why the informer is not up to date. It contains no name and no address. */
  get problem(): ProblemReason | undefined {
    return this.#isEnded ? "other" : this.#parts.informer.status().problem?.reason;
  }

  /** Starts to follow the informer. */
  follow(): void {
    // Each informer has objects of one type, of which the log only reads the key and the namespace.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    this.#parts.informer.addListener(this as never, { changesOnly: true });
  }

  /** Stops to follow the informer. */
  async leave(): Promise<void> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
    await this.#parts.informer.removeListener(this as never);
  }

  /**
   * Returns the changes after one, by key, each with all states before it since then; `undefined`
   * if some have left the log.
   */
  since(change: number): Map<string, (Cached<object> | undefined)[]> | undefined {
    if (change < this.#forgotten) return undefined;
    const changes = new Map<string, (Cached<object> | undefined)[]>();
    for (let index = this.#entries.length - 1; index >= 0; index--) {
      const entry = this.#entries.at(index);
      if (entry === undefined || entry.change <= change) break;
      const states = changes.get(entry.key);
      if (states === undefined) changes.set(entry.key, [entry.old]);
      else states.push(entry.old);
    }
    return changes;
  }

  push(event: InformerEvent<object>): void {
    const { key } = event;
    const object = event.type === "delete" ? undefined : event.object;
    const old = this.objects.get(key);
    if (old === object) return;
    if (object === undefined) this.objects.delete(key);
    else this.objects.set(key, object);
    this.#entries.push({ change: this.#parts.count(), key, old });
    if (this.#entries.length > this.#parts.maxEntries) {
      this.#forgotten = this.#entries.shift()?.change ?? this.#forgotten;
    }
    this.#parts.onChange({ log: this, key, old, object, frames: new Map() });
  }

  sourceSynced(): void {
    if (this.#isSynced) return;
    this.#isSynced = true;
    this.#parts.onSynced();
  }

  start(): void {}

  stop(): Promise<void> {
    this.#isEnded = true;
    this.#parts.onEnd();
    return Promise.resolve();
  }
}

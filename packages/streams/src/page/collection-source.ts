import { AlreadyRunningError, DeletedFinalStateUnknown, type Cached } from "@listwatch/core-fifo";
import { asPlain, isJsonEqual, resourceVersionOf, untilAborted } from "@listwatch/core-fifo/base";
import type {
  InformerProblem,
  InformerSink,
  InformerSource,
  ProblemReason,
  SourceStatus,
} from "@listwatch/shared-informer";
import type { MessageData, MessageType } from "../protocol/messages.ts";
import { StreamError } from "./stream-error.ts";

/** A message with its data. */
export type Message = {
  [M in MessageType]: { readonly type: M; readonly data: MessageData[M] };
}[MessageType];

/** A collection, as its connection uses it. */
export interface Member {
  readonly name: string;
  /** The view that the cache shows completely; `""` if there is none. A resume begins with it. */
  readonly view: string;
  /** Applies a message. Returns a promise while the informer has not applied it. */
  receive(message: Message): Promise<void> | undefined;
  /** Drops all objects: the page may not see them any more. */
  deny(): Promise<void> | undefined;
  /** Begins another stream, whose server reports its problems again. */
  reopen(): void;
  /** Reports a failure of the connection. The informer may end because of it. */
  report(error: unknown, attempts: number): void;
}

/** The connection that a collection belongs to. */
export interface Carrier {
  readonly problem: InformerProblem | undefined;
  readonly freshAsOfMs: number | undefined;
  readonly liveAsOfMs: number | undefined;
  now(): number;
  join(collection: Member): void;
  leave(collection: Member): void;
}

/** One collection of a stream, as the source of an informer. */
export class CollectionSource<T> implements InformerSource<T>, Member {
  readonly name: string;
  /** The server also deletes objects that may have been sent. */
  readonly ignoreUnknownDeletes: boolean = true;
  readonly isSameState: (old: Cached<T>, object: Cached<T>) => boolean = isSameContent;
  readonly isSameContent: (held: Cached<T>, object: T) => boolean = isSameContent;
  readonly #carrier: Carrier;
  #sink: InformerSink<T> | undefined;
  /** Objects of a list that is not complete. */
  #list: Map<string, T> | undefined;
  #view = "";
  /** Why the page may see nothing, or nothing new. */
  #grantProblem: InformerProblem | undefined;
  /** Why the server's copy is not up to date. */
  #copyProblem: InformerProblem | undefined;
  /** Ends the run. */
  #end: ((error: unknown) => void) | undefined;

  constructor(name: string, carrier: Carrier) {
    this.name = name;
    this.#carrier = carrier;
  }

  get view(): string {
    return this.#view;
  }

  status(): SourceStatus {
    const carrier = this.#carrier;
    const problem = carrier.problem ?? this.#grantProblem ?? this.#copyProblem;
    const isCurrent = this.#view !== "" && problem === undefined;
    return {
      source: undefined,
      problem,
      queuedDeltas: this.#list?.size ?? 0,
      freshAsOfMs: isCurrent ? carrier.freshAsOfMs : undefined,
      liveAsOfMs: isCurrent ? carrier.liveAsOfMs : undefined,
    };
  }

  describeActivity(): string {
    return this.#list === undefined ? "waiting for the list" : "reading the list";
  }

  async run(sink: InformerSink<T>, signal: AbortSignal): Promise<void> {
    if (this.#sink !== undefined) {
      throw new AlreadyRunningError(`the collection ${this.name}`, "another informer runs it");
    }
    const { promise, reject } = Promise.withResolvers<never>();
    this.#sink = sink;
    this.#end = reject;
    this.#carrier.join(this);
    try {
      await untilAborted(promise, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.#carrier.leave(this);
      this.#sink = undefined;
      this.#list = undefined;
      this.#view = "";
    }
  }

  report(error: unknown, attempts: number): void {
    try {
      const origin = { kind: "watch", reflector: this.name, operation: "watch" } as const;
      const reaction = this.#sink?.report(error, { ...origin, recovery: "reopen", attempts });
      if (reaction === "stop") this.#end?.(error);
    } catch (thrown) {
      this.#end?.(thrown);
    }
  }

  receive(message: Message): Promise<void> | undefined {
    const sink = this.#sink;
    if (sink === undefined) return undefined;
    switch (message.type) {
      case "list":
        this.#list = new Map();
        this.#view = "";
        this.#grantProblem = undefined;
        return undefined;
      case "set":
        // The object is what the server has sent for this collection.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        return this.#set(sink, message.data.key, message.data.object as T);
      case "delete":
        return this.#delete(sink, message.data.key);
      case "listed":
        return this.#complete(sink, message.data.view);
      case "view":
        this.#view = message.data.view;
        return undefined;
      case "denied":
        return this.deny();
      case "paused":
        // Positions that follow do not include this collection, until the server names its view.
        this.#view = "";
        this.#failGrant("other", "its grant cannot be checked");
        return undefined;
      case "problem": {
        const { reason } = message.data;
        const why = "the server's copy is not up to date";
        this.#copyProblem = reason && this.#describe(reason, why, this.#copyProblem);
        return undefined;
      }
      case "continued":
        this.#grantProblem = undefined;
        return undefined;
      case "open":
    }
    return undefined;
  }

  deny(): Promise<void> | undefined {
    const sink = this.#sink;
    this.#list = undefined;
    this.#view = "";
    this.#failGrant("forbidden", "it is not granted or does not exist");
    this.#copyProblem = undefined;
    if (sink === undefined || sink.store.listKeys().length === 0) return undefined;
    return this.#replace(sink, new Map());
  }

  reopen(): void {
    this.#list = undefined;
    this.#grantProblem = undefined;
    this.#copyProblem = undefined;
  }

  #set(sink: InformerSink<T>, key: string, object: T): Promise<void> | undefined {
    if (this.#list === undefined) return sink.apply([{ type: "Updated", key, object }], false);
    this.#list.set(key, object);
    return undefined;
  }

  #delete(sink: InformerSink<T>, key: string): Promise<void> | undefined {
    if (this.#list !== undefined) {
      this.#list.delete(key);
      return undefined;
    }
    const held = sink.store.getByKey(key);
    if (held === undefined) return undefined;
    // The final state is unknown: the object may exist, outside of what the page may see.
    const object = new DeletedFinalStateUnknown<T>(key, asPlain<T>(held));
    return sink.apply([{ type: "Deleted", key, object }], false);
  }

  async #complete(sink: InformerSink<T>, view: string): Promise<void> {
    const list = this.#list ?? new Map<string, T>();
    this.#list = undefined;
    await this.#replace(sink, list);
    // The next run of the source must not resume what this one had.
    if (this.#sink !== sink) return;
    this.#view = view;
    sink.markSynced();
  }

  #replace(sink: InformerSink<T>, list: ReadonlyMap<string, T>): Promise<void> | undefined {
    const objects = [...list.values()];
    const keys = [...list.keys()];
    const resourceVersion = "";
    return sink.apply([{ type: "ReplacedAll", objects, keys, resourceVersion }], true);
  }

  #failGrant(reason: ProblemReason, why: string): void {
    this.#grantProblem = this.#describe(reason, why, this.#grantProblem);
  }

  /** Describes a problem, which has lasted as long as the one before. */
  #describe(
    reason: ProblemReason,
    why: string,
    before: InformerProblem | undefined,
  ): InformerProblem {
    const error = new StreamError(`Cannot follow ${this.name}: ${why}`, reason);
    const sinceMs = before?.sinceMs ?? this.#carrier.now();
    return { reason, error, attempts: 1, sinceMs, retryMs: undefined };
  }
}

/** Whether two states are the same: the version alone does not show other fields, or a history. */
function isSameContent(held: unknown, object: unknown): boolean {
  const version = resourceVersionOf(object);
  return version === resourceVersionOf(held) && isJsonEqual(held, object);
}

import type { Change } from "../log/collection-log.ts";
import { comment, endOfMessage, formatMessage, formatPosition } from "../protocol/frames.ts";
import type { Subscription } from "./subscription.ts";

/** Bytes that are encoded before the page's room is checked again. */
const bytesPerChunk = 32 * 1024;

const encoder = /* @__PURE__ */ new TextEncoder();

/** The parts that all streams of a handler share. */
export interface StreamHost {
  readonly heartbeatMs: number;
  /** How much waits in a body before changes are coalesced. */
  readonly strategy: QueuingStrategy<Uint8Array>;
  /** Passes the changes until now to the streams. */
  flush(): void;
  /** Returns the position after all changes that have been passed to the streams. */
  position(): string;
  /** Called when the stream has nothing to send, and when it has again. */
  place(stream: PageStream, isIdle: boolean): void;
  /** Called when the page has gone, or the server has ended the stream. */
  forget(stream: PageStream): void;
}

/** The stream of one page. There are many, so none creates functions. */
export class PageStream implements UnderlyingDefaultSource<Uint8Array> {
  readonly request: Request;
  readonly identity: string;
  readonly subscriptions: readonly Subscription[];
  readonly body: ReadableStream<Uint8Array>;
  /** When to ask again about the grants. */
  askAtMs = 0;
  /** Whether the answer of such a question is awaited. */
  isAsking = false;
  readonly #host: StreamHost;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #isIdle = false;

  constructor(
    host: StreamHost,
    request: Request,
    identity: string,
    subscriptions: readonly Subscription[],
  ) {
    this.request = request;
    this.identity = identity;
    this.subscriptions = subscriptions;
    this.#host = host;
    this.body = new ReadableStream(this, host.strategy);
  }

  /** Called by the body. */
  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#controller = controller;
    const open = formatMessage("open", { heartbeatMs: this.#host.heartbeatMs });
    controller.enqueue(encoder.encode(open + endOfMessage));
  }

  /** Called by the body for each chunk: an idle stream has nothing that waits. */
  pull(): void {
    if (!this.#isIdle) this.drain();
  }

  /** Called by the body when the page has gone. */
  cancel(): void {
    this.#leave();
  }

  /** Whether the stream is open. */
  get isOpen(): boolean {
    return this.#controller !== undefined;
  }

  /** Whether the page reads as fast as the server sends. */
  get hasRoom(): boolean {
    return (this.#controller?.desiredSize ?? 0) > 0;
  }

  /** Number of objects that wait for the page. */
  get backlog(): number {
    return this.subscriptions.reduce((sum, { backlog }) => sum + backlog, 0);
  }

  /** Whether a position may follow: the page has the newest state of all that it gets. */
  get #isComplete(): boolean {
    return this.subscriptions.every((subscription) => subscription.isComplete);
  }

  /** Names the views of the stream: idle streams with equal names get the same bytes. */
  get viewNames(): string {
    return this.subscriptions.map(({ liveView }) => liveView?.id ?? 0).join(",");
  }

  /** Sends bytes that belong to a complete state of an idle stream. */
  send(bytes: Uint8Array): void {
    this.#controller?.enqueue(bytes);
  }

  /** Notes changes for later, and sends what there is room for. */
  note(changes: readonly Change[]): void {
    for (const subscription of this.subscriptions) {
      for (const change of changes) if (change.log === subscription.log) subscription.note(change);
    }
    this.drain();
  }

  /** Sends what waits after a change of a subscription, whose view may be another one now. */
  refresh(): void {
    if (!this.isOpen) return;
    this.#isIdle = false;
    this.#host.place(this, false);
    this.drain();
  }

  /** Sends what waits, while there is room. */
  drain(): void {
    // Objects are sent in their newest state, so changes that led to it must have been noted.
    this.#host.flush();
    while (this.#controller !== undefined && this.hasRoom) {
      const text = this.#take();
      // Messages before the last one end here; an id belongs to the last one of a complete state.
      if (text !== "") {
        const end = this.#isComplete ? formatPosition(this.#host.position()) : endOfMessage;
        this.#controller.enqueue(encoder.encode(text + end));
      }
      if (text === "") break;
    }
    this.#setIdle(this.subscriptions.every((subscription) => subscription.isIdle));
  }

  /** Shows the page that the server is there. A page that does not read gets none. */
  beat(heartbeat: Uint8Array): void {
    if (this.hasRoom) this.send(this.#isComplete ? heartbeat : encodedComment);
  }

  /** Ends the stream. The page opens another one. */
  end(): void {
    const controller = this.#controller;
    if (controller === undefined) return;
    this.#leave();
    try {
      controller.close();
    } catch {
      // The page has gone at the same time.
    }
  }

  #leave(): void {
    this.#controller = undefined;
    this.#host.forget(this);
  }

  /** Returns the next messages, without the end of the last one. */
  #take(): string {
    let text = "";
    for (const subscription of this.subscriptions) {
      for (const frame of subscription.drain()) {
        text += text === "" ? frame : endOfMessage + frame;
        if (text.length >= bytesPerChunk) return text;
      }
    }
    return text;
  }

  #setIdle(isIdle: boolean): void {
    if (isIdle === this.#isIdle) return;
    this.#isIdle = isIdle;
    this.#host.place(this, isIdle);
  }
}

const encodedComment = encoder.encode(comment);

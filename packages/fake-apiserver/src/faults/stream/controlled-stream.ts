import { CapacityLatch, type Clock, Deque, sleep } from "@listwatch/core-fifo/base";
import { ConnectionResetError } from "../../control/control-errors.ts";
import { encodeEvents, type EventFilter, type EventGate, EventStage } from "./event-stage.ts";
import { errorEvent, type EventSource } from "./watch-event.ts";
import { StreamProgress, type StreamTrigger } from "./stream-progress.ts";
import type { CutPosition, StreamShape, StatusFault } from "../../control/fault-action.ts";
import { cutPosition } from "../inputs/cut-position.ts";
import { statusObject } from "../inputs/status-fault.ts";
import { shapeChunks } from "../inputs/stream-shape.ts";

/** Reports of a controlled stream to its owner. */
export interface StreamObserver {
  /** Something was handed to the reader, or the reader asks for more. */
  progressed(): void;
  /** The stream has ended: cleanly, broken, or cancelled by the reader. Called once. */
  ended(): void;
}

const unchanged: StreamShape = {};
// A slowed stream is smooth enough to show back-pressure, in few enough pieces to be cheap.
const piecesPerSecond = 20;

/**
 * The body of an answer, and the places between source and reader where faults act.
 *
 * ```
 * source ─▶ filters ─▶ gates ─▶ encode ─▶ shape (split, join, CRLF) ─▶ cut ─▶ pace ─▶ reader
 * ```
 *
 * Pull-based from end to end: without a read nothing is taken from the source. With no fault set,
 * what the source hands over at once is one chunk.
 */
export class ControlledStream {
  readonly readable: ReadableStream<Uint8Array>;

  readonly #source: EventSource;
  readonly #clock: Clock;
  readonly #observer: StreamObserver;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #ended = false;
  #sourceDone = false;
  // The source has no more than what is here already, which may not have been read so far.
  #sourceClosed = false;
  #pulling = false;
  #readerWaits = false;
  #stalled = false;
  readonly #progress: StreamProgress;
  // Empty unless something looks at events.
  readonly #events: EventStage = new EventStage();
  // Encoded pieces that are ready to go.
  readonly #pieces = new Deque<Uint8Array>();
  #shape: StreamShape = unchanged;
  #cut: CutPosition | undefined;
  #bytesPerSecond = Infinity;
  // Opened whenever a waiting pull has to look again.
  readonly #changed = new CapacityLatch();

  constructor(source: EventSource, clock: Clock, observer: StreamObserver) {
    this.#source = source;
    this.#clock = clock;
    this.#observer = observer;
    this.#progress = new StreamProgress(source.framing);
    this.readable = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#pull(),
        cancel: (reason) => {
          this.#finish();
          this.#source.cancel(reason);
        },
      },
      { highWaterMark: 0 },
    );
  }

  /** Bytes handed to the reader. */
  get bytes(): number {
    return this.#progress.bytes;
  }

  get stalled(): boolean {
    return this.#stalled;
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  /** Nothing is held back here, and the reader waits for more. */
  get isDrained(): boolean {
    return (
      this.#readerWaits &&
      this.#events.isEmpty &&
      this.#pieces.length === 0 &&
      (this.#controller?.desiredSize ?? 0) >= 0
    );
  }

  /** Ends the stream cleanly; what waits here is dropped, what was handed to the reader is not. */
  end(): void {
    if (this.#ended) return;
    this.#controller?.close();
    this.#release();
  }

  /** Breaks the stream. */
  fail(reason: unknown): void {
    if (this.#ended) return;
    this.#controller?.error(reason);
    this.#release();
  }

  /** Breaks the stream as a TCP reset does. */
  reset(): void {
    this.fail(new ConnectionResetError());
  }

  /** Sends nothing more, but stays open. */
  stall(): void {
    this.#stalled = true;
  }

  /** Ends a stall. */
  resume(): void {
    this.#stalled = false;
    this.wake();
    this.#endIfOver();
  }

  /** Cuts the stream at a place in what is still to be sent; a cut ends it cleanly or resets it. */
  cutAt(position: CutPosition): void {
    this.#cut = position;
  }

  /** Paces what is sent. */
  slow(bytesPerSecond: number): void {
    this.#bytesPerSecond = bytesPerSecond;
  }

  /** Changes where chunks begin and end. */
  reshape(shape: StreamShape): void {
    this.#shape = shape;
  }

  addFilter(filter: EventFilter): void {
    this.#events.addFilter(filter);
  }

  /** Holds events back until the gate opens or the returned function removes it. */
  addGate(gate: EventGate): () => void {
    this.#events.addGate(gate);
    return () => {
      this.#events.removeGate(gate);
      this.wake();
    };
  }

  /** Adds a trigger; only before anything was sent, because events are counted for triggers only. */
  addTrigger(trigger: StreamTrigger): void {
    this.#progress.add(trigger);
  }

  /** Sends an ERROR event before everything that waits, and ends the stream. */
  endWithError(status: StatusFault): void {
    if (this.#ended) return;
    const object = statusObject(status);
    this.#send(this.#source.encodeError?.(object) ?? errorEvent(object).encode());
    this.end();
  }

  /** The source has ended. With nothing left to send the stream ends at once, also without a read. */
  sourceClosed(): void {
    this.#sourceClosed = true;
    this.#endIfOver();
  }

  /** Lets a waiting gate look again. */
  wake(): void {
    this.#changed.open();
  }

  /** Nothing is set that could change a chunk: the way of nearly all of them. */
  get #isPlain(): boolean {
    return (
      !this.#stalled &&
      this.#cut === undefined &&
      this.#bytesPerSecond === Infinity &&
      this.#shape === unchanged &&
      !this.#looksAtEvents
    );
  }

  get #looksAtEvents(): boolean {
    return this.#events.isUsed || this.#shape.events !== undefined || this.#progress.hasTriggers;
  }

  async #pull(): Promise<void> {
    this.#pulling = true;
    try {
      while (!this.#ended && !(await this.#step()));
    } catch (error) {
      this.fail(error);
    }
    this.#pulling = false;
    this.#endIfOver();
  }

  /** A pull that is under way may still bring something from the source, and finds its end itself. */
  #endIfOver(): void {
    if (!this.#sourceClosed || this.#pulling || this.#stalled) return;
    if (this.#events.isEmpty && this.#pieces.length === 0) this.end();
  }

  /**
   * One step of a pull; true when something was handed to the reader or the stream is over. Not
   * async itself: every event passes here once for each watch, and a promise around the promise of
   * a read takes three more turns of the microtask queue.
   */
  #step(): boolean | Promise<boolean> {
    if (this.#stalled) return this.#untilChanged();
    const piece = this.#pieces.shift();
    if (piece !== undefined) return this.#deliver(piece);
    const group = this.#events.take(this.#shape.events ?? 1, !this.#sourceDone);
    if (group !== undefined) {
      this.#addPieces(group);
      return false;
    }
    if (this.#events.isHeld) return this.#untilChanged();
    if (this.#sourceDone) {
      this.end();
      return true;
    }
    return this.#readSource();
  }

  async #untilChanged(): Promise<false> {
    await this.#changed.wait();
    return false;
  }

  async #readSource(): Promise<boolean> {
    this.#readerWaits = true;
    this.#observer.progressed();
    const events = await this.#source.read();
    this.#readerWaits = false;
    if (this.#ended) return true;
    if (events === undefined) {
      this.#sourceDone = true;
      return false;
    }
    if (this.#isPlain) {
      this.#send(encodeEvents(events));
      return true;
    }
    if (this.#looksAtEvents) this.#events.push(events);
    else this.#addPieces(encodeEvents(events));
    return false;
  }

  #addPieces(chunk: Uint8Array): void {
    // Protobuf has no lines that could be written otherwise.
    const { bytes } = this.#shape;
    const shape = this.#source.framing === "lines" ? this.#shape : { bytes };
    for (const piece of shapeChunks(chunk, shape)) this.#pieces.push(piece);
  }

  async #deliver(piece: Uint8Array): Promise<boolean> {
    const cut = this.#cut === undefined ? undefined : cutPosition(piece, this.#cut);
    const sent = cut === undefined ? piece : piece.subarray(0, cut);
    if (this.#cut?.afterBytes !== undefined && cut === undefined) {
      this.#cut = { ...this.#cut, afterBytes: this.#cut.afterBytes - piece.length };
    }
    await this.#pace(sent);
    if (this.#ended) return true;
    if (cut !== undefined) {
      if (this.#cut?.then === "reset") this.reset();
      else this.end();
    }
    return true;
  }

  /** Sends the bytes, slowly if it has to be. */
  async #pace(bytes: Uint8Array): Promise<void> {
    if (this.#bytesPerSecond === Infinity) {
      this.#send(bytes);
      return;
    }
    let start = 0;
    while (start < bytes.length && !this.#ended) {
      const size = Math.max(1, Math.floor(this.#bytesPerSecond / piecesPerSecond));
      const part = bytes.subarray(start, start + size);
      await sleep((part.length / this.#bytesPerSecond) * 1000, { clock: this.#clock });
      if (this.#ended) return;
      this.#send(part);
      start += size;
    }
  }

  #send(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#progress.count(bytes);
    this.#controller?.enqueue(bytes);
    this.#observer.progressed();
    this.#progress.fireDue();
  }

  /** Frees the source after the reader's side was closed. */
  #release(): void {
    this.#finish();
    this.#source.cancel();
  }

  #finish(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#events.clear();
    this.#pieces.clear();
    this.wake();
    this.#observer.ended();
  }
}

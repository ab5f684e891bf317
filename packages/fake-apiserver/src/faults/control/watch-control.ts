import { checkCut, type CutPosition } from "../inputs/cut-position.ts";
import type { MatchableRequest } from "../inputs/request-match.ts";
import { checkStatus, type StatusFault } from "../inputs/status-fault.ts";
import { checkPace, checkShape, type StreamShape } from "../inputs/stream-shape.ts";
import type { ControlledStream } from "../stream/controlled-stream.ts";
import { type EventMatch, matchesEvent } from "../stream/event-match.ts";
import type { WatchSource } from "./watch-source.ts";

/**
 * One open watch: its request, its progress, and faults to apply to it. A real server, or a proxy
 * in front of it, can cause each of them.
 *
 * ```ts
 * import { FakeApiServer } from "@listwatch/fake-apiserver";
 *
 * const server = new FakeApiServer();
 * const response = await server.fetch(new Request("http://localhost/api/v1/pods?watch=true"));
 * const [watch] = server.control.watches.list({ resource: "pods" });
 * watch?.sendError({ code: 410 });
 * console.assert((await response.text()).includes('"reason":"Expired"'));
 * ```
 */
export class WatchControl {
  /** `watch-1` for the first watch of the server. */
  readonly id: string;
  readonly request: MatchableRequest;
  readonly #source: WatchSource;
  readonly #stream: ControlledStream;
  readonly #releases: (() => void)[] = [];

  /** @internal */
  constructor(
    id: string,
    request: MatchableRequest,
    source: WatchSource,
    stream: ControlledStream,
  ) {
    this.id = id;
    this.request = request;
    this.#source = source;
    this.#stream = stream;
  }

  /** The resource and its group, `widgets.example.com`; `pods` in the core group. */
  get resource(): string {
    const { group, resource } = this.request;
    return group === "" ? resource : `${resource}.${group}`;
  }

  /** Query parameters of the request. */
  get parameters(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.request.query);
  }

  /** Revision after which live events began. */
  get startRevision(): number {
    return this.#source.startRevision;
  }

  /** Revision of the newest event or bookmark taken out of the server's buffer for this watch. */
  get sentRevision(): number {
    return this.#source.sentRevision;
  }

  /** Bytes handed to the reader. */
  get bytes(): number {
    return this.#stream.bytes;
  }

  /** False once the stream has ended. */
  get open(): boolean {
    return !this.#stream.hasEnded;
  }

  get stalled(): boolean {
    return this.#stream.stalled;
  }

  /**
   * True if everything up to the revision has been handed to the reader and the reader waits for
   * more.
   */
  isAt(revision: number): boolean {
    return !this.stalled && this.#stream.isDrained && this.#source.caughtUpRevision >= revision;
  }

  /** Ends the stream cleanly, without an event; what has not been read is dropped. */
  end(): void {
    this.#stream.end();
  }

  /** Breaks the connection. */
  reset(): void {
    this.#stream.reset();
  }

  /** Sends nothing more and leaves the connection open. */
  stall(): void {
    this.#stream.stall();
  }

  /** Ends a stall; the events since then are sent, unless the watch's buffer overflowed. */
  resume(): void {
    this.#stream.resume();
  }

  /**
   * Cuts the stream inside what is sent next. @default in the middle of the next line, ending
   * cleanly
   */
  truncate(position: CutPosition = { inside: "line" }): void {
    checkCut(position);
    this.#stream.cutAt(position);
  }

  /** Changes where chunks begin and end, from now on. */
  split(shape: StreamShape): void {
    checkShape(shape);
    this.#stream.reshape(shape);
  }

  /** Limits the pace of the stream. */
  slow(bytesPerSecond: number): void {
    checkPace(bytesPerSecond);
    this.#stream.slow(bytesPerSecond);
  }

  /** Holds back the matching events and everything behind them, until `release`. */
  hold(match: EventMatch = {}): void {
    this.#releases.push(this.#stream.addGate((event) => matchesEvent(match, event)));
  }

  /** Sends what `hold` holds back. */
  release(): void {
    for (const release of this.#releases.splice(0)) release();
  }

  /**
   * Sends an ERROR event with this Status and ends the stream, as the server does for an expired
   * version.
   */
  sendError(status: StatusFault): void {
    checkStatus(status, "status");
    this.#stream.endWithError(status);
  }
}

import { checkCut, checkPace, checkShape, checkStatus } from "../check-fault.ts";
import type { ControlledStream } from "../stream/controlled-stream.ts";
import { EventLine } from "../stream/event-line.ts";
import type { MatchableRequest } from "../inputs/request-match.ts";
import { statusObject, type StatusFault } from "../inputs/status-fault.ts";
import type { CutPosition, StreamShape } from "../inputs/stream-shape.ts";
import type { WatchPort } from "./watch-port.ts";

/** Which events of a watch are meant; every given field must fit. */
export interface EventMatch {
  readonly type?: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  readonly namespace?: string;
  readonly name?: string;
}

/**
 * One open watch: what it asked for, how far it is, and what can happen to it. All of it a real
 * server, or a proxy before it, can do.
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
  readonly #port: WatchPort;
  readonly #stream: ControlledStream;
  readonly #releases: (() => void)[] = [];

  /** @internal */
  constructor(id: string, request: MatchableRequest, port: WatchPort, stream: ControlledStream) {
    this.id = id;
    this.request = request;
    this.#port = port;
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
    return this.#port.startRevision;
  }

  /** Revision of the newest event or bookmark taken out of the server's buffer for this watch. */
  get sentRevision(): number {
    return this.#port.sentRevision;
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
    return !this.stalled && this.#stream.isDrained && this.#port.caughtUpRevision >= revision;
  }

  /** Clean end of the stream, without an event; what has not been read is dropped. */
  end(): void {
    this.#stream.end();
  }

  /** The connection breaks. */
  reset(): void {
    this.#stream.reset();
  }

  /** Half-open connection: nothing is sent any more, nothing ends. */
  stall(): void {
    this.#stream.stall();
  }

  /** Ends a stall; what happened meanwhile is sent, unless the watch's buffer overflowed. */
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

  /** Sends no faster than this. */
  slow(bytesPerSecond: number): void {
    checkPace(bytesPerSecond);
    this.#stream.slow(bytesPerSecond);
  }

  /** Holds back the matching events and everything behind them, until `release`. */
  hold(match: EventMatch = {}): void {
    this.#releases.push(this.#stream.addGate((line) => matchesEvent(match, line)));
  }

  /** Lets go what `hold` holds back. */
  release(): void {
    for (const release of this.#releases.splice(0)) release();
  }

  /**
   * Sends an ERROR event with this Status and ends the stream, as the server does for an expired
   * version.
   */
  sendError(status: StatusFault): void {
    checkStatus(status, "status");
    this.#stream.inject(EventLine.of("ERROR", statusObject(status)));
    this.#stream.end();
  }
}

/** True if every given field of the match fits the event. */
export function matchesEvent(match: EventMatch, line: EventLine): boolean {
  return (
    (match.type === undefined || match.type === line.type) &&
    (match.namespace === undefined || match.namespace === line.metadata["namespace"]) &&
    (match.name === undefined || match.name === line.metadata["name"])
  );
}

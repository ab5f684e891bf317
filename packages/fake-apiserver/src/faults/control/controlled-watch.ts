import type {
  CutPosition,
  EventMatch,
  StatusFault,
  StreamShape,
} from "../../control/fault-action.ts";
import type { WatchControl } from "../../control/watches.ts";
import { checkCut } from "../inputs/cut-position.ts";
import type { MatchableRequest } from "../../control/requests.ts";
import { checkStatus } from "../inputs/status-fault.ts";
import { checkPace, checkShape } from "../inputs/stream-shape.ts";
import type { ControlledStream } from "../stream/controlled-stream.ts";
import { matchesEvent } from "../stream/watch-event.ts";
import type { WatchSource } from "./control-hooks.ts";

/** One open watch: its source in the core, and the stream that faults act on. */
export class ControlledWatch implements WatchControl {
  readonly id: string;
  readonly request: MatchableRequest;
  readonly #source: WatchSource;
  readonly #stream: ControlledStream;
  readonly #releases: (() => void)[] = [];

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

  get resource(): string {
    const { group, resource } = this.request;
    return group === "" ? resource : `${resource}.${group}`;
  }

  get parameters(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.request.query);
  }

  get startRevision(): number {
    return this.#source.startRevision;
  }

  get sentRevision(): number {
    return this.#source.sentRevision;
  }

  get bytes(): number {
    return this.#stream.bytes;
  }

  get open(): boolean {
    return !this.#stream.hasEnded;
  }

  get stalled(): boolean {
    return this.#stream.stalled;
  }

  isAt(revision: number): boolean {
    return !this.stalled && this.#stream.isDrained && this.#source.caughtUpRevision >= revision;
  }

  end(): void {
    this.#stream.end();
  }

  reset(): void {
    this.#stream.reset();
  }

  stall(): void {
    this.#stream.stall();
  }

  resume(): void {
    this.#stream.resume();
  }

  truncate(position: CutPosition = { inside: "line" }): void {
    checkCut(position);
    this.#stream.cutAt(position);
  }

  split(shape: StreamShape): void {
    checkShape(shape);
    this.#stream.reshape(shape);
  }

  slow(bytesPerSecond: number): void {
    checkPace(bytesPerSecond);
    this.#stream.slow(bytesPerSecond);
  }

  hold(match: EventMatch = {}): void {
    this.#releases.push(this.#stream.addGate((event) => matchesEvent(match, event)));
  }

  release(): void {
    for (const release of this.#releases.splice(0)) release();
  }

  sendError(status: StatusFault): void {
    checkStatus(status, "status");
    this.#stream.endWithError(status);
  }
}

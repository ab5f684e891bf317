import { splitLines, type EventLine } from "./event-line.ts";

/** Turns one event line into those that are sent instead. */
export type LineFilter = (line: EventLine) => readonly EventLine[];

/** True while the line, and everything behind it, has to wait. */
export type LineGate = (line: EventLine) => boolean;

/** The part of a body's way where whole lines are looked at: filters first, then gates. */
export class LineStage {
  readonly #filters: LineFilter[] = [];
  readonly #gates: Set<LineGate> = new Set();
  // Lines behind the filters that have not been taken.
  #lines: EventLine[] = [];

  /** True if a filter or a gate looks at lines. */
  get isUsed(): boolean {
    return this.#filters.length > 0 || this.#gates.size > 0;
  }

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  /** True if a line waits at a closed gate. */
  get isHeld(): boolean {
    return this.#lines.some((line) => this.#isStopped(line));
  }

  addFilter(filter: LineFilter): void {
    this.#filters.push(filter);
  }

  addGate(gate: LineGate): void {
    this.#gates.add(gate);
  }

  removeGate(gate: LineGate): void {
    this.#gates.delete(gate);
  }

  /** Puts in a chunk of whole lines. */
  push(chunk: Uint8Array): void {
    let lines: readonly EventLine[] = splitLines(chunk);
    for (const filter of this.#filters) lines = lines.flatMap(filter);
    this.#lines.push(...lines);
  }

  /**
   * Takes so many lines out, as one chunk; fewer if no more follow. Undefined if there are not
   * enough that may go.
   */
  take(wanted: number, moreFollow: boolean): Uint8Array | undefined {
    const stopped = this.#lines.findIndex((line) => this.#isStopped(line));
    const open = stopped < 0 ? this.#lines.length : stopped;
    if (open === 0 || (open < wanted && moreFollow)) return undefined;
    return concatenate(this.#lines.splice(0, Math.min(open, wanted)));
  }

  clear(): void {
    this.#lines = [];
  }

  #isStopped(line: EventLine): boolean {
    for (const gate of this.#gates) if (gate(line)) return true;
    return false;
  }
}

function concatenate(lines: readonly EventLine[]): Uint8Array {
  const [first] = lines;
  if (lines.length === 1 && first !== undefined) return first.bytes;
  const total = new Uint8Array(lines.reduce((sum, line) => sum + line.bytes.length, 0));
  let offset = 0;
  for (const line of lines) {
    total.set(line.bytes, offset);
    offset += line.bytes.length;
  }
  return total;
}

import type { ScannedText, Scanner, Structure } from "./structure.ts";
import { ScriptScanner } from "./script-scanner.ts";
import { createWasmScanner } from "./wasm-scanner.ts";

const noBytes = new Uint8Array(0);
const noRecords = new Int32Array(0);
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** The structure of text in its own memory, found by a shared scanner. */
export class TextStructure implements Structure, ScannedText {
  bytes: Uint8Array = noBytes;
  length = 0;
  records: Int32Array = noRecords;
  count = 0;
  readonly limit: number;
  depth = 0;
  isInString = false;
  isEscape = false;
  readonly #scanner: Scanner;
  /** All of the text, if it was decoded since it last changed. */
  #decoded: string | undefined;

  constructor(scanner: Scanner, limit: number) {
    this.#scanner = scanner;
    this.limit = limit;
  }

  append(chunk: Uint8Array): void {
    this.#decoded = undefined;
    const from = this.length;
    const end = from + chunk.length;
    if (end > this.bytes.length) {
      const larger = new Uint8Array(Math.max(end, this.bytes.length * 2));
      larger.set(this.bytes.subarray(0, from));
      this.bytes = larger;
    }
    this.bytes.set(chunk, from);
    this.length = end;
    this.#scanner.scan(this, from);
  }

  find(byte: number, from: number): number {
    return this.#scanner.find(this, byte, from);
  }

  text(start: number, end: number): string {
    // One call for many pieces takes less time than one for each.
    this.#decoded ??= utf8.decode(this.bytes.subarray(0, this.length));
    const isAscii = this.#decoded.length === this.length;
    return isAscii ? this.#decoded.slice(start, end) : utf8.decode(this.bytes.subarray(start, end));
  }

  drop(position: number, records: number): void {
    // Incomplete text must not be moved for each of its chunks.
    if (position === 0 && records === 0) return;
    this.#decoded = undefined;
    this.#scanner.forget(this);
    this.bytes.copyWithin(0, position, this.length);
    this.length -= position;
    for (let index = records; index < this.count; index++) {
      this.records[index - records] = (this.records[index] ?? 0) - position;
    }
    this.count -= records;
  }

  release(): void {
    this.#decoded = undefined;
    this.#scanner.forget(this);
    this.bytes = noBytes;
    this.records = noRecords;
    this.length = 0;
    this.count = 0;
    this.depth = 0;
    this.isInString = false;
    this.isEscape = false;
  }

  record(position: number): void {
    if (this.count === this.records.length) this.#reserveRecords(1);
    this.records[this.count++] = position;
  }

  recordAll(positions: Int32Array): void {
    this.#reserveRecords(positions.length);
    this.records.set(positions, this.count);
    this.count += positions.length;
  }

  #reserveRecords(more: number): void {
    const count = this.count + more;
    if (count <= this.records.length) return;
    const larger = new Int32Array(Math.max(count, this.records.length * 2));
    larger.set(this.records.subarray(0, this.count));
    this.records = larger;
  }
}

let scanner: Scanner | undefined;

/** Creates an empty structure with records down to a depth. Uses WebAssembly where possible. */
export function createStructure(limit: number): Structure {
  scanner ??= createWasmScanner() ?? new ScriptScanner();
  return new TextStructure(scanner, limit);
}

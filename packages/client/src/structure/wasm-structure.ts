import { dropRecords } from "./script-structure.ts";
import type { Structure } from "./structure.ts";
import type { Scanner, ScannerPool } from "./wasm-scanner.ts";

const pageLength = 64 * 1024;
/** Of the two pages that the module begins with, the bytes for text; the rest is for records. */
const firstTextLength = 96 * 1024;
/** Bytes that are read at once, and that must be spaces behind the text. */
const blockLength = 64;
const recordLength = 4;
const noBytes = new Uint8Array(0);
const noRecords = new Int32Array(0);

/**
 * The structure of text, found by a WebAssembly module in its memory:
 *
 * ```
 *   memory   text | 64 spaces |            records  |
 *            0     length      textLength
 * ```
 */
export class WasmStructure implements Structure {
  bytes: Uint8Array = noBytes;
  length = 0;
  records: Int32Array = noRecords;
  count = 0;
  readonly #pool: ScannerPool;
  readonly #limit: number;
  /** From the first text on, until it is given back. */
  #scanner: Scanner | undefined;
  #textLength = firstTextLength;

  constructor(pool: ScannerPool, limit: number) {
    this.#pool = pool;
    this.#limit = limit;
  }

  append(chunk: Uint8Array): void {
    const scanner = (this.#scanner ??= this.#begin());
    const end = this.length + chunk.length;
    this.#reserveText(scanner, end + blockLength);
    this.bytes.set(chunk, this.length);
    this.bytes.fill(0x20, end, end + blockLength);
    let from = this.length;
    this.length = end;
    while (from < end) {
      const out = this.#textLength + this.count * recordLength;
      const room = this.bytes.length;
      const next = scanner.scan(from, end, out, room, this.#limit);
      this.count = (next - this.#textLength) / recordLength;
      from = Number(scanner.reached.value);
      if (from < end) this.#grow(scanner, this.#textLength, (room - this.#textLength) * 2);
    }
  }

  find(byte: number, from: number): number {
    if (this.#scanner === undefined) return -1;
    const position = this.#scanner.find(from, this.length, byte);
    return position < this.length ? position : -1;
  }

  drop(position: number, records: number): void {
    // What is not whole yet must not be moved for each of its chunks.
    if (position === 0 && records === 0) return;
    this.bytes.copyWithin(0, position, this.length);
    this.length -= position;
    dropRecords(this.records, this.count, records, position);
    this.count -= records;
  }

  release(): void {
    if (this.#scanner !== undefined) this.#pool.give(this.#scanner);
    this.#scanner = undefined;
    this.bytes = noBytes;
    this.records = noRecords;
    this.length = 0;
    this.count = 0;
  }

  #begin(): Scanner {
    const scanner = this.#pool.take();
    const { buffer } = scanner.memory;
    this.bytes = new Uint8Array(buffer);
    this.records = new Int32Array(buffer, firstTextLength);
    this.#textLength = firstTextLength;
    return scanner;
  }

  #reserveText(scanner: Scanner, length: number): void {
    if (length <= this.#textLength) return;
    const textLength = Math.ceil(Math.max(length, this.#textLength * 2) / blockLength);
    this.#grow(scanner, textLength * blockLength, this.bytes.length - this.#textLength);
  }

  #grow({ memory }: Scanner, textLength: number, recordsLength: number): void {
    const missing = textLength + recordsLength - this.bytes.length;
    memory.grow(Math.ceil(missing / pageLength));
    this.bytes = new Uint8Array(memory.buffer);
    const from = this.#textLength;
    this.bytes.copyWithin(textLength, from, from + this.count * recordLength);
    this.records = new Int32Array(memory.buffer, textLength);
    this.#textLength = textLength;
  }
}

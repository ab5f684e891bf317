import { scanModule } from "./scan-module.ts";
import { dropRecords } from "./script-structure.ts";
import type { Structure } from "./structure.ts";

/** What the module exports; see scan.wat. */
interface Scanner {
  readonly memory: WebAssembly.Memory;
  readonly reached: WebAssembly.Global;
  scan(from: number, end: number, out: number, room: number, limit: number): number;
  find(from: number, end: number, byte: number): number;
}

const pageLength = 64 * 1024;
/** Of the two pages that the module begins with, the bytes for text; the rest is for records. */
const firstTextLength = 96 * 1024;
/** Bytes that are read at once, and that must be spaces behind the text. */
const blockLength = 64;
const recordLength = 4;

/**
 * The module; compiled once.
 *
 * @returns `undefined` where WebAssembly or its SIMD is missing, or forbidden by a policy for the
 *   contents of a page
 */
export function compileScanner(): WebAssembly.Module | undefined {
  try {
    const bytes = Uint8Array.from(atob(scanModule), (letter) => letter.charCodeAt(0));
    return new WebAssembly.Module(bytes);
  } catch {
    return undefined;
  }
}

/**
 * The structure of text, found by a WebAssembly module in its memory:
 *
 * ```
 *   memory   text | 64 spaces |            records  |
 *            0     length      textLength
 * ```
 */
export class WasmStructure implements Structure {
  bytes: Uint8Array;
  length = 0;
  records: Int32Array;
  count = 0;
  readonly #scanner: Scanner;
  readonly #limit: number;
  #textLength = firstTextLength;

  constructor(module: WebAssembly.Module, limit: number) {
    // The exports are those of scan.wat.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    this.#scanner = new WebAssembly.Instance(module).exports as unknown as Scanner;
    this.#limit = limit;
    const { buffer } = this.#scanner.memory;
    this.bytes = new Uint8Array(buffer);
    this.records = new Int32Array(buffer, firstTextLength);
  }

  append(chunk: Uint8Array): void {
    const end = this.length + chunk.length;
    this.#reserveText(end + blockLength);
    this.bytes.set(chunk, this.length);
    this.bytes.fill(0x20, end, end + blockLength);
    let from = this.length;
    this.length = end;
    while (from < end) {
      const out = this.#textLength + this.count * recordLength;
      const room = this.bytes.length;
      const next = this.#scanner.scan(from, end, out, room, this.#limit);
      this.count = (next - this.#textLength) / recordLength;
      from = Number(this.#scanner.reached.value);
      if (from < end) this.#grow(this.#textLength, (room - this.#textLength) * 2);
    }
  }

  find(byte: number, from: number): number {
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

  #reserveText(length: number): void {
    if (length <= this.#textLength) return;
    const textLength = Math.ceil(Math.max(length, this.#textLength * 2) / blockLength);
    this.#grow(textLength * blockLength, this.bytes.length - this.#textLength);
  }

  #grow(textLength: number, recordsLength: number): void {
    const { memory } = this.#scanner;
    const missing = textLength + recordsLength - this.bytes.length;
    memory.grow(Math.ceil(missing / pageLength));
    this.bytes = new Uint8Array(memory.buffer);
    const from = this.#textLength;
    this.bytes.copyWithin(textLength, from, from + this.count * recordLength);
    this.records = new Int32Array(memory.buffer, textLength);
    this.#textLength = textLength;
  }
}

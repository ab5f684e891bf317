import {
  backslash,
  closeBrace,
  colon,
  comma,
  openBrace,
  quote,
  type Structure,
} from "./structure.ts";

const firstBytes = 128 * 1024;
const firstRecords = 4096;

/** The structure of text, found byte by byte; the same as {@link WasmStructure} finds. */
export class ScriptStructure implements Structure {
  bytes: Uint8Array = new Uint8Array(firstBytes);
  length = 0;
  records: Int32Array = new Int32Array(firstRecords);
  count = 0;
  readonly #limit: number;
  /** Open brackets at the end of the text. */
  #depth = 0;
  #isInString = false;
  /** Whether the last byte is a backslash that escapes the next one. */
  #isEscape = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  append(chunk: Uint8Array): void {
    const from = this.length;
    const end = from + chunk.length;
    if (end > this.bytes.length) {
      const larger = new Uint8Array(Math.max(end, firstBytes, this.bytes.length * 2));
      larger.set(this.bytes.subarray(0, from));
      this.bytes = larger;
    }
    this.bytes.set(chunk, from);
    this.length = end;
    this.#scan(from, end);
  }

  find(byte: number, from: number): number {
    return this.bytes.subarray(0, this.length).indexOf(byte, from);
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
    this.bytes = new Uint8Array(0);
    this.records = new Int32Array(0);
    this.length = 0;
    this.count = 0;
    this.#depth = 0;
    this.#isInString = false;
    this.#isEscape = false;
  }

  #scan(from: number, end: number): void {
    const { bytes } = this;
    const limit = this.#limit;
    let depth = this.#depth;
    let isInString = this.#isInString;
    let isEscape = this.#isEscape;
    for (let position = from; position < end; position++) {
      const byte = bytes[position] ?? 0;
      if (byte === backslash) isEscape = !isEscape;
      else if (isEscape) {
        isEscape = false;
        // Outside of a string this is no JSON; the WebAssembly module finds the same then.
        if (!isInString && byte !== quote) depth = this.#mark(byte, position, depth, limit);
      } else if (byte === quote) isInString = !isInString;
      else if (!isInString) depth = this.#mark(byte, position, depth, limit);
    }
    this.#depth = depth;
    this.#isInString = isInString;
    this.#isEscape = isEscape;
  }

  /** Writes the record of a byte outside of strings, if it has one; returns the depth behind it. */
  #mark(byte: number, position: number, depth: number, limit: number): number {
    const bracket = byte | 0x20;
    if (bracket === openBrace) {
      if (depth < limit) this.#record(position);
      return depth + 1;
    }
    if (bracket === closeBrace) {
      if (depth <= limit) this.#record(position);
      return depth - 1;
    }
    if (depth <= limit && (byte === comma || byte === colon)) this.#record(position);
    return depth;
  }

  #record(position: number): void {
    if (this.count === this.records.length) {
      const larger = new Int32Array(Math.max(firstRecords, this.count * 2));
      larger.set(this.records);
      this.records = larger;
    }
    this.records[this.count++] = position;
  }
}

/** Moves the records behind the first ones to the beginning, `shift` bytes less. */
export function dropRecords(
  records: Int32Array,
  count: number,
  dropped: number,
  shift: number,
): void {
  for (let index = dropped; index < count; index++) {
    records[index - dropped] = (records[index] ?? 0) - shift;
  }
}

/**
 * The unconsumed part of a UTF-8 text as one flat string: the rest of earlier chunks and the newest
 * ones. A concatenated string would not be flat, and would be slower to read character by
 * character.
 */
export class Utf8Window {
  // Grows with the first chunk: most lists are small, and a large buffer is zeroed for each one.
  #buffer = new Uint8Array(0);
  /** Number of bytes to decode, including an incomplete character at the end. */
  #length = 0;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  readonly #encoder = new TextEncoder();

  /** Number of bytes to decode. */
  get length(): number {
    return this.#length;
  }

  append(chunk: Uint8Array): void {
    this.#reserve(this.#length + chunk.length);
    this.#buffer.set(chunk, this.#length);
    this.#length += chunk.length;
  }

  /**
   * Returns all complete text.
   *
   * @param all whether to include an incomplete character at the end, because no byte follows
   */
  take(all: boolean): string {
    const cut = all ? this.#length : this.#length - incomplete(this.#buffer, this.#length);
    const text = this.#decoder.decode(this.#buffer.subarray(0, cut));
    this.#buffer.copyWithin(0, cut, this.#length);
    this.#length -= cut;
    return text;
  }

  /** Returns unconsumed text. The next `take` starts with it. */
  giveBack(rest: string): void {
    // A UTF-16 unit is at most 3 bytes of UTF-8.
    this.#reserve(this.#length + rest.length * 3);
    const tail = this.#buffer.slice(0, this.#length);
    const { written } = this.#encoder.encodeInto(rest, this.#buffer);
    this.#buffer.set(tail, written);
    this.#length += written;
  }

  #reserve(length: number): void {
    if (length <= this.#buffer.length) return;
    const larger = new Uint8Array(Math.max(length, this.#buffer.length * 2));
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
  }
}

/** Number of bytes at the end that start an incomplete character: 0 to 3 (RFC 3629 §3). */
function incomplete(bytes: Uint8Array, length: number): number {
  for (let back = 1; back <= 3 && back <= length; back++) {
    const byte = bytes[length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return size > back ? back : 0;
  }
  return 0;
}

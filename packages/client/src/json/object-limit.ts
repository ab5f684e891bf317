import { describeBytes } from "@listwatch/core-fifo/base";
import { DecodeError } from "../errors/decode-errors.ts";

/** 16 MiB: client-go `NewDecoder`, apimachinery pkg/runtime/serializer/streaming/streaming.go. */
const defaultMaxBytes = 16 * 1024 * 1024;

/** A UTF-16 unit is at most 3 bytes of UTF-8. */
const bytesPerUnit = 3;

/** Maximum size of one object on the wire, so that a response cannot fill the memory. */
export class ObjectLimit {
  readonly maxBytes: number;
  /** Text of at most this many UTF-16 units is always within the limit. */
  readonly safeLength: number;

  constructor(maxBytes: number | undefined) {
    this.maxBytes = maxBytes ?? defaultMaxBytes;
    this.safeLength = Math.floor(this.maxBytes / bytesPerUnit);
  }

  /**
   * Checks a complete text that is longer than {@link ObjectLimit.safeLength}.
   *
   * @throws {DecodeError} if it is above the limit
   */
  check(what: string, text: string, offset: number): void {
    const isWithin =
      text.length <= this.maxBytes && new TextEncoder().encode(text).length <= this.maxBytes;
    if (!isWithin) throw this.error(what, text, offset);
  }

  /** Creates the error for an object above the limit. */
  error(what: string, text: string, offset: number): DecodeError {
    return new DecodeError(this.expected(what), offset, text);
  }

  /** Describes an object within the limit, for errors. */
  expected(what: string): string {
    return `${what} of at most ${describeBytes(this.maxBytes)} (maxObjectBytes)`;
  }
}

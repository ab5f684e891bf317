import { base64Text, characters, utf8Text, viewBytes, type ByteView } from "./byte-text.ts";
import { maxSharedLength, sharedText, shortText, type CharacterSource } from "./text-table.ts";

/** Wire type of a field: the last three bits of its tag. */
export const wireType = { varint: 0, fixed64: 1, delimited: 2, fixed32: 5 } as const;

const fixed64Length = 8;
const fixed32Length = 4;
const wireTypeMask = 7;

/**
 * Bytes are not a protobuf message. Callers convert it to an error that names the source of the
 * bytes.
 */
export class WireError extends Error {
  override readonly name: string = "WireError";
  /** Description of the expected value. */
  readonly expected: string;
  /** Position in the bytes that were read. */
  readonly position: number;

  constructor(expected: string, position: number, options?: ErrorOptions) {
    super(`Expected ${expected} at byte ${position}`, options);
    this.expected = expected;
    this.position = position;
  }
}

/**
 * Reads the protobuf encoding at a position, which each call moves. Readers know the end of a
 * message, and no field may cross it. A number that does is noticed by {@link WireReader.finish}.
 */
export class WireReader implements CharacterSource {
  bytes: ByteView = viewBytes(new Uint8Array());
  position = 0;
  /** Number of unknown fields that were skipped. */
  unknownFields = 0;
  characters = "";
  start = 0;
  end = 0;

  /** Moves to a position in bytes. Strings are decoded one by one until they are prepared. */
  open(bytes: ByteView, position: number): void {
    this.bytes = bytes;
    this.position = position;
    this.start = 0;
    this.end = 0;
  }

  /** Decodes many short strings at once, up to a position. */
  prepareTexts(end: number): void {
    this.characters = characters(this.bytes, this.position, end);
    this.start = this.position;
    this.end = end;
  }

  /**
   * Reads a number: exact up to 2^53; negative ones as int64.
   *
   * @throws {WireError} if it has more than 10 bytes
   */
  varint(): number {
    const { bytes } = this;
    let byte = bytes[this.position++] ?? 0;
    if (byte < 128) return byte;
    let low = byte & 127;
    byte = bytes[this.position++] ?? 0;
    low |= (byte & 127) << 7;
    if (byte < 128) return low;
    byte = bytes[this.position++] ?? 0;
    low |= (byte & 127) << 14;
    if (byte < 128) return low;
    byte = bytes[this.position++] ?? 0;
    low |= (byte & 127) << 21;
    return byte < 128 ? low : this.#longVarint(low);
  }

  #longVarint(start: number): number {
    const { bytes } = this;
    let byte = bytes[this.position++] ?? 0;
    const low = start | ((byte & 15) << 28);
    let high = (byte & 127) >> 4;
    for (let shift = 3; byte >= 128; shift += 7) {
      if (shift > 31) throw this.error("a number of at most 10 bytes");
      byte = bytes[this.position++] ?? 0;
      high |= (byte & 127) << shift;
    }
    return (high | 0) * 2 ** 32 + (low >>> 0);
  }

  /** Reads an 8-byte floating-point number. */
  double(): number {
    const { bytes, position } = this;
    this.position += fixed64Length;
    if (this.position > bytes.length) throw this.error("8 bytes of a number");
    return new DataView(bytes.buffer, bytes.byteOffset + position).getFloat64(0, true);
  }

  /** Reads a length. @returns the end of the value, at most `limit` */
  delimitedEnd(limit: number): number {
    const length = this.varint();
    const end = this.position + length;
    if (!(length >= 0 && end <= limit)) {
      throw this.error(`a length within its message, which ends at byte ${limit}`);
    }
    return end;
  }

  /** Skips the value of a field whose tag was read. */
  skip(tag: number, limit: number): void {
    if (tag >>> 3 === 0 || tag > 2 ** 32) throw this.error("the number of a field");
    switch (tag & wireTypeMask) {
      case wireType.varint:
        this.varint();
        break;
      case wireType.fixed64:
        this.position += fixed64Length;
        break;
      case wireType.delimited:
        this.position = this.delimitedEnd(limit);
        break;
      case wireType.fixed32:
        this.position += fixed32Length;
        break;
      default:
        throw this.error(`a field, got one of wire type ${tag & wireTypeMask}`);
    }
    this.finish(limit, this.position <= limit);
  }

  /** Skips the value of an unknown field. */
  skipUnknown(tag: number, limit: number): void {
    this.unknownFields++;
    this.skip(tag, limit);
  }

  /** Checks that a message was read exactly to its end. */
  finish(end: number, isWithin: boolean = this.position === end): void {
    if (!isWithin) throw this.error(`a field within its message, which ends at byte ${end}`);
  }

  /** Reads a string that ends at `end`. */
  text(end: number): string {
    const { position: start } = this;
    this.position = end;
    if (start === end) return "";
    const { bytes } = this;
    if (end - start <= maxSharedLength) {
      return sharedText(bytes, start, end, this) ?? utf8Text(bytes, start, end);
    }
    return utf8Text(bytes, start, end);
  }

  /** Reads a string that is unique to its object, such as a uid. */
  ownText(end: number): string {
    const { bytes, position: start } = this;
    this.position = end;
    for (let index = start; index < end; index++) {
      if ((bytes[index] ?? 0) > 127) return utf8Text(bytes, start, end);
    }
    return shortText(bytes, start, end, this);
  }

  /** Reads bytes that end at `end`. */
  base64(end: number): string {
    const { position: start } = this;
    this.position = end;
    return base64Text(this.bytes, start, end);
  }

  error(expected: string, options?: ErrorOptions): WireError {
    return new WireError(expected, this.position, options);
  }
}

import { type BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { isStackOverflow } from "../api/errors.ts";
import { MalformedBodyError } from "../input/errors.ts";

/** Number and wire type of the next field. */
export interface Tag {
  readonly number: number;
  /** Undefined for an unknown wire type. */
  readonly wireType: WireType | undefined;
  /** Encoded wire type. */
  readonly code: number;
}

const wireTypes: readonly (WireType | undefined)[] = [
  WireType.Varint,
  WireType.Bit64,
  WireType.LengthDelimited,
  WireType.StartGroup,
  WireType.EndGroup,
  WireType.Bit32,
];

// All errors are those of gogo/protobuf's generated readers, which Kubernetes uses.

/** Reads a tag of a message. @throws {MalformedBodyError} */
export function readTag(reader: BinaryReader, messageName: string): Tag {
  const tag = readSafely(() => reader.uint32());
  const number = tag >>> 3;
  const code = tag & 7;
  const wireType = wireTypes[code];
  if (wireType === WireType.EndGroup) {
    throw new MalformedBodyError(`proto: ${messageName}: wiretype end group for non-group`);
  }
  if (number === 0) {
    throw new MalformedBodyError(`proto: ${messageName}: illegal tag 0 (wire type ${code})`);
  }
  return { number, wireType, code };
}

/** Checks the wire type of a known field. @throws {MalformedBodyError} */
export function checkWireType({ code, wireType }: Tag, expected: WireType, goName: string): void {
  if (wireType === expected) return;
  throw new MalformedBodyError(`proto: wrong wireType = ${code} for field ${goName}`);
}

/** Reads the length of a value and returns its end. @throws {MalformedBodyError} */
export function readEnd(reader: BinaryReader, limit: number): number {
  const length = readSafely(() => reader.uint32());
  const end = reader.pos + length;
  if (end > limit) throw unexpectedEnd();
  return end;
}

/** Skips the value of an unknown field. @throws {MalformedBodyError} */
export function skipField(reader: BinaryReader, { code, number, wireType }: Tag): void {
  if (wireType === undefined) throw new MalformedBodyError(`proto: illegal wireType ${code}`);
  readSafely(() => reader.skip(wireType, number));
}

/** Replaces the library's errors by Go's. @throws {MalformedBodyError} */
export function readSafely<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Error) || isStackOverflow(error)) throw error;
    // The library read past the last byte.
    if (error instanceof RangeError) throw unexpectedEnd();
    throw new MalformedBodyError("proto: integer overflow", { cause: error });
  }
}

/** Same message as Go's `io.ErrUnexpectedEOF`. */
export function unexpectedEnd(): MalformedBodyError {
  return new MalformedBodyError("unexpected EOF");
}

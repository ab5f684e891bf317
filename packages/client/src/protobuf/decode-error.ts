import { DecodeError } from "../errors/decode-errors.ts";
import type { TypeMeta } from "../wire/envelope.ts";
import { WireError } from "../wire/wire-reader.ts";
import type { WireReader } from "../wire/wire-reader.ts";

/** Number of bytes around a fault that its error shows. */
const shownLength = 80;

/** Converts the error of a malformed protobuf response; returns other errors as they are. */
export function asDecodeError(error: unknown, { bytes }: WireReader, taken: number): unknown {
  if (!(error instanceof WireError)) return error;
  const { expected, position } = error;
  const start = Math.min(position, bytes.length);
  const shown = String.fromCharCode(...bytes.subarray(start, start + shownLength));
  return new DecodeError(`${expected}, in protobuf`, taken, shown, { cause: error });
}

/** Creates the error for an object of a kind without a table. */
export function unknownKindError({ apiVersion, kind }: Readonly<TypeMeta>): DecodeError {
  const expected =
    "a kind whose protobuf fields this version of listwatch knows (ask for JSON, or update it)";
  return new DecodeError(expected, 0, `${apiVersion}/${kind}`);
}

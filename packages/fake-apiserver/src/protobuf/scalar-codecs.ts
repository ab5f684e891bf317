import { ScalarType } from "@bufbuild/protobuf";
import {
  base64Decode,
  base64Encode,
  type BinaryReader,
  type BinaryWriter,
  WireType,
} from "@bufbuild/protobuf/wire";
import { textOf } from "../base/go-text.ts";

/** Codec between a scalar's JSON and protobuf. */
export interface ScalarCodec {
  readonly wireType: WireType;
  /** JSON for an absent value. */
  readonly zero: unknown;
  read(reader: BinaryReader): unknown;
  /** Writes zero for an absent value. */
  write(writer: BinaryWriter, value: unknown): void;
}

const codecs: ReadonlyMap<ScalarType, ScalarCodec> = new Map<ScalarType, ScalarCodec>([
  [
    ScalarType.STRING,
    {
      wireType: WireType.LengthDelimited,
      zero: "",
      read: (reader) => reader.string(),
      write: (writer, value) => void writer.string(textOf(value ?? "")),
    },
  ],
  [
    ScalarType.BYTES,
    {
      wireType: WireType.LengthDelimited,
      zero: "",
      read: (reader) => base64Encode(reader.bytes()),
      write: (writer, value) => void writer.bytes(base64Decode(textOf(value ?? ""))),
    },
  ],
  [
    ScalarType.BOOL,
    {
      wireType: WireType.Varint,
      zero: false,
      read: (reader) => reader.bool(),
      write: (writer, value) => void writer.bool(value === true),
    },
  ],
  [
    ScalarType.INT32,
    {
      wireType: WireType.Varint,
      zero: 0,
      read: (reader) => reader.int32(),
      write: (writer, value) => void writer.int32(Number(value ?? 0)),
    },
  ],
  [
    ScalarType.INT64,
    {
      wireType: WireType.Varint,
      zero: 0,
      // Numbers above 2^53 lose their last digits, like in JSON here.
      read: (reader) => Number(reader.int64()),
      write: (writer, value) => void writer.int64(BigInt(Number(value ?? 0))),
    },
  ],
  [
    ScalarType.DOUBLE,
    {
      wireType: WireType.Bit64,
      zero: 0,
      read: (reader) => reader.double(),
      write: (writer, value) => void writer.double(Number(value ?? 0)),
    },
  ],
]);

/** Returns the codec of a scalar. @throws {TypeError} for one that Kubernetes does not use */
export function scalarCodec(type: ScalarType): ScalarCodec {
  const codec = codecs.get(type);
  if (codec === undefined) throw new TypeError(`Cannot read a scalar of protobuf's type ${type}`);
  return codec;
}

import { wireType, type WireReader, WireError } from "../wire/wire-reader.ts";
import type { MessageField, MessageType } from "./field-table.ts";
import { readIntOrString, readQuantity, readRaw, readTexts, readTime } from "./special-values.ts";
import { DecodeError } from "../errors/decode-errors.ts";
import type { TypeMeta } from "../wire/envelope.ts";

/** A JSON object under construction. */
export type Members = Record<string, unknown>;

const wireTypeMask = 7;
const keyTag = 0x0a;

/** Reads a whole message to its JSON form. @throws {WireError} if it is malformed */
export function readMessage(
  reader: WireReader,
  type: MessageType,
  object: Members,
  end: number,
): void {
  readFields(reader, type, object, end);
  type.addAbsent(object);
}

/** Reads some fields of a message. @throws {WireError} if they are malformed */
export function readFields(
  reader: WireReader,
  type: MessageType,
  object: Members,
  end: number,
): void {
  const { byTag } = type;
  let list: unknown[] = [];
  let listField: MessageField | undefined;
  while (reader.position < end) {
    const tag = reader.varint();
    const field = byTag[tag];
    if (field === undefined) {
      skipUnknown(reader, type, tag, end);
      continue;
    }
    if (field.isRepeated) {
      if (field !== listField) {
        if (listField !== undefined) trim(object, listField.name, list);
        list = listOf(object, field.name);
        listField = field;
      }
      readElements(reader, field, tag, list, end);
    } else if ((tag & wireTypeMask) === wireType.delimited) {
      readDelimited(reader, field, object, reader.delimitedEnd(end));
    } else {
      const value = readScalar(reader, field);
      if (field.keepsZero || (value !== 0 && value !== false)) object[field.name] = value;
    }
  }
  reader.finish(end);
  if (listField !== undefined) trim(object, listField.name, list);
}

/** Skips a field that a message does not have. */
export function skipUnknown(reader: WireReader, type: MessageType, tag: number, end: number): void {
  if (type.hasNumber(tag)) {
    throw reader.error(`another wire type than ${tag & wireTypeMask} for the field ${tag >>> 3}`);
  }
  reader.skipUnknown(tag, end);
}

function listOf(object: Members, name: string): unknown[] {
  const known = object[name];
  if (Array.isArray(known)) return known;
  const list: unknown[] = [];
  object[name] = list;
  return list;
}

/** A list that grew has capacity for elements that will not come. */
function trim(object: Members, name: string, list: unknown[]): void {
  object[name] = list.slice();
}

function readElements(
  reader: WireReader,
  field: MessageField,
  tag: number,
  list: unknown[],
  limit: number,
): void {
  if ((tag & wireTypeMask) !== wireType.delimited) {
    list.push(readScalar(reader, field));
    return;
  }
  const end = reader.delimitedEnd(limit);
  if (field.elementWireType === wireType.delimited) list.push(readValue(reader, field, end));
  else {
    while (reader.position < end) list.push(readScalar(reader, field));
    reader.finish(end);
  }
}

function readDelimited(
  reader: WireReader,
  field: MessageField,
  object: Members,
  end: number,
): void {
  const { form, name } = field;
  if (field.isPlainText) object[name] = reader.text(end);
  else if (field.isMap) readEntry(reader, field, memberOf(object, name), end);
  else if (field.isInline) readMessage(reader, field.message, object, end);
  else if (form === "m") {
    // A message in several parts is their union.
    readMessage(reader, field.message, memberOf(object, name), end);
  } else {
    const value = readValue(reader, field, end);
    const isZero =
      value === "" ||
      value === null ||
      (form === "w" && Array.isArray(value) && value.length === 0);
    if (field.keepsZero || !isZero) object[name] = value;
  }
}

/** Returns the object that is a member of another one, created if missing. */
export function memberOf(object: Members, name: string): Members {
  const known = object[name];
  // The table has one form per name, and nothing else sets it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  if (known !== undefined) return known as Members;
  const made: Members = {};
  object[name] = made;
  return made;
}

/** Reads a value that ends at `end`. */
function readValue(reader: WireReader, field: MessageField, end: number): unknown {
  // The others are numbers, which have no length.
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check
  switch (field.form) {
    case "s":
      return reader.text(end);
    case "m": {
      const object: Members = {};
      readMessage(reader, field.message, object, end);
      return object;
    }
    case "q":
      return readQuantity(reader, end);
    case "t":
      return readTime(reader, end, 0);
    case "u":
      return readTime(reader, end, 6);
    case "n":
      return readIntOrString(reader, end);
    case "r":
      return readRaw(reader, end);
    case "w":
      return readTexts(reader, end);
    case "y":
      return reader.base64(end);
    default:
      throw reader.error(`a number for ${field.name}`);
  }
}

function readScalar(reader: WireReader, field: MessageField): number | boolean {
  if (field.form === "d") return reader.double();
  const value = reader.varint();
  return field.form === "b" ? value !== 0 : value;
}

function readEntry(reader: WireReader, field: MessageField, map: Members, end: number): void {
  const valueTag = 2 * 8 + field.elementWireType;
  let key = "";
  let value: unknown;
  while (reader.position < end) {
    const tag = reader.varint();
    if (tag === keyTag) key = reader.text(reader.delimitedEnd(end));
    else if (tag !== valueTag) reader.skip(tag, end);
    else if (field.elementWireType === wireType.delimited) {
      value = readValue(reader, field, reader.delimitedEnd(end));
    } else value = readScalar(reader, field);
  }
  reader.finish(end);
  setMember(map, key, value === undefined ? emptyValue(field) : value);
}

function emptyValue(field: MessageField): unknown {
  return field.form === "y" ? "" : field.emptyElement;
}

/** Sets a member of any name, as `JSON.parse` does. */
export function setMember(map: Members, key: string, value: unknown): void {
  if (key !== "__proto__") map[key] = value;
  else {
    const plain = { value, writable: true, enumerable: true, configurable: true };
    Object.defineProperty(map, key, plain);
  }
}

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

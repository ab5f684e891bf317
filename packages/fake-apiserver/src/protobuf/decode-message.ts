import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import {
  isRecord,
  recordOf,
  type JsonObject,
  type MutableJsonObject,
} from "@listwatch/core-fifo/base";
import { textOf } from "../base/go-text.ts";
import { setMember } from "../base/read-fields.ts";
import { decodeJson } from "../input/decode.ts";
import type { FieldPlan, MessagePlan, ValuePlan } from "./message-plan.ts";
import {
  checkWireType,
  readEnd,
  readSafely,
  readTag,
  skipField,
  type Tag,
  unexpectedEnd,
} from "./wire.ts";

/** Field number of the value in a map entry. */
const entryValue = 2;

/**
 * Decodes a message to JSON. Unknown fields are skipped.
 *
 * @throws {MalformedBodyError}
 */
export function decodeMessage(bytes: Uint8Array, plan: MessagePlan): JsonObject {
  const object: MutableJsonObject = {};
  readFields(new BinaryReader(bytes), plan, bytes.length, object);
  return object;
}

function readFields(
  reader: BinaryReader,
  plan: MessagePlan,
  end: number,
  object: MutableJsonObject,
): void {
  readEach(reader, plan.name, end, (tag) => {
    const field = plan.byNumber.get(tag.number);
    if (field === undefined) skipField(reader, tag);
    else readField(reader, field, tag, end, object);
  });
}

function readEach(
  reader: BinaryReader,
  messageName: string,
  end: number,
  read: (tag: Tag) => void,
): void {
  while (reader.pos < end) {
    read(readTag(reader, messageName));
    // The reader only knows the end of the body.
    if (reader.pos > end) throw unexpectedEnd();
  }
}

function readField(
  reader: BinaryReader,
  { goName, name, omitsZero, shape, value }: FieldPlan,
  tag: Tag,
  end: number,
  object: MutableJsonObject,
): void {
  const expected = value.kind === "scalar" ? value.codec.wireType : WireType.LengthDelimited;
  const isPacked = shape === "list" && tag.wireType === WireType.LengthDelimited;
  if (!isPacked) checkWireType(tag, expected, goName);
  if (shape === "inline" && value.kind === "message") {
    readFields(reader, value.plan, readEnd(reader, end), object);
  } else if (shape === "list") {
    // Numbers may be packed in one field without tags.
    const last = isPacked && expected !== WireType.LengthDelimited;
    readItems(reader, value, last ? readEnd(reader, end) : undefined, end, listIn(object, name));
  } else if (shape === "map") {
    readEntry(reader, value, end, mapIn(object, name));
  } else {
    const read = readValue(reader, value, end);
    if (read !== undefined && !(omitsZero && isZero(read))) object[name] = read;
  }
}

function readEntry(
  reader: BinaryReader,
  value: ValuePlan,
  end: number,
  map: MutableJsonObject,
): void {
  const entry = recordOf(readValue(reader, value, end));
  const valueField = value.kind === "message" ? value.plan.byNumber.get(entryValue) : undefined;
  // Go omits an empty bytes value of an entry; other writers omit more.
  const read = entry["value"] ?? (valueField && zeroOf(valueField.value)) ?? null;
  setMember(map, textOf(entry["key"] ?? ""), read);
}

/** Go's value for an absent one that is required. */
function zeroOf(value: ValuePlan): unknown {
  if (value.kind === "scalar") return value.codec.zero;
  if (value.kind === "special") return value.form.toJson({}) ?? null;
  if (value.kind === "json") return null;
  return value.kind === "wrapped" ? [] : {};
}

// Go writes values that are not pointers even if they are zero.
function isZero(value: unknown): boolean {
  return value === 0 || value === "" || value === false;
}

/** @param last end of packed items, undefined for a single one */
function readItems(
  reader: BinaryReader,
  value: ValuePlan,
  last: number | undefined,
  end: number,
  list: unknown[],
): void {
  if (last === undefined) list.push(readValue(reader, value, end) ?? null);
  else while (reader.pos < last) list.push(readValue(reader, value, last));
}

function readValue(reader: BinaryReader, value: ValuePlan, end: number): unknown {
  if (value.kind === "scalar") return readSafely(() => value.codec.read(reader));
  const last = readEnd(reader, end);
  if (value.kind === "json") return readJson(reader, last, value.goName);
  const fields: MutableJsonObject = {};
  readFields(reader, value.plan, last, fields);
  if (value.kind === "special") return value.form.toJson(fields);
  return value.kind === "wrapped" ? (fields["items"] ?? []) : fields;
}

function readJson(reader: BinaryReader, end: number, goName: string): unknown {
  let text = "";
  readEach(reader, goName, end, (tag) => {
    if (tag.number !== 1) {
      skipField(reader, tag);
      return;
    }
    checkWireType(tag, WireType.LengthDelimited, goName);
    text = readSafely(() => reader.string());
  });
  return text === "" ? undefined : decodeJson(text).value;
}

// A repeated field extends its list or map.
function listIn(object: MutableJsonObject, name: string): unknown[] {
  const known = object[name];
  if (Array.isArray(known)) return known;
  const list: unknown[] = [];
  object[name] = list;
  return list;
}

function mapIn(object: MutableJsonObject, name: string): MutableJsonObject {
  const known = object[name];
  if (isRecord(known)) return known;
  const map: MutableJsonObject = {};
  object[name] = map;
  return map;
}

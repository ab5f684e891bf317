import { isRecord } from "@listwatch/core-fifo/base";
import { pickFields, type WantedField } from "../json/field-tree.ts";
import type { WireReader } from "../wire/wire-reader.ts";
import type { MessageField, MessageType } from "./field-table.ts";
import { memberOf, readFields, skipUnknown, type Members } from "./message-reader.ts";

/** A field to keep, as a whole or in part. */
interface KeptField {
  readonly field: MessageField;
  /** Members to keep of its value in JSON; `undefined` for all. */
  readonly wanted: readonly WantedField[] | undefined;
  /** The same for a message. Other values, such as maps, are read before they are reduced. */
  readonly inner: KeptMessage | undefined;
  /** Whether it is a string that is unique to its object, such as a uid. */
  readonly isOwn: boolean;
}

/** Fields to keep of a message; all others are skipped by their lengths. */
export interface KeptMessage {
  readonly type: MessageType;
  /** By the index of their tags. */
  readonly byTag: readonly (KeptField | undefined)[];
  /** Fields that JSON contains if they are absent on the wire. */
  readonly required: readonly KeptField[];
}

const ownTexts = new Set(["name", "uid", "resourceVersion"]);

/** Finds the wanted fields of a message. */
export function keptFields(
  type: MessageType,
  wanted: readonly WantedField[],
  isMetadata = false,
): KeptMessage {
  const byTag: (KeptField | undefined)[] = [];
  const known = new Map<MessageField, KeptField | undefined>();
  for (const [tag, field] of type.byTag.entries()) {
    if (field === undefined) continue;
    if (!known.has(field)) known.set(field, keptField(field, wanted, isMetadata));
    byTag[tag] = known.get(field);
  }
  const required = type.required.flatMap((field) => known.get(field) ?? []);
  return { type, byTag, required };
}

function keptField(
  field: MessageField,
  wanted: readonly WantedField[],
  isMetadata: boolean,
): KeptField | undefined {
  const { form, isInline, isMap, isRepeated, name } = field;
  if (isInline) return { field, wanted, inner: keptFields(field.message, wanted), isOwn: false };
  const found = wanted.find((one) => one.name === name);
  if (found === undefined) return undefined;
  const { fields } = found;
  const isMessage = form === "m" && !isMap && !isRepeated;
  const inner =
    isMessage && fields !== undefined
      ? keptFields(field.message, fields, name === "metadata")
      : undefined;
  return { field, wanted: fields, inner, isOwn: isMetadata && ownTexts.has(name) };
}

/**
 * Reads the fields to keep of a message. The result equals that of reading the whole message and
 * reducing it.
 *
 * @throws {WireError} if the message, or a kept part of it, is malformed
 */
export function readKept(
  reader: WireReader,
  kept: KeptMessage,
  object: Members,
  end: number,
): void {
  const { byTag, type } = kept;
  while (reader.position < end) {
    const start = reader.position;
    const tag = reader.varint();
    const found = byTag[tag];
    if (found === undefined) {
      if (type.byTag[tag] === undefined) skipUnknown(reader, type, tag, end);
      else reader.skip(tag, end);
    } else if (found.inner !== undefined) {
      const { field, inner } = found;
      const into = field.isInline ? object : memberOf(object, field.name);
      readKept(reader, inner, into, reader.delimitedEnd(end));
    } else if (found.isOwn) {
      const text = reader.ownText(reader.delimitedEnd(end));
      if (text !== "") object[found.field.name] = text;
    } else readRun(reader, kept, found, object, { tag, start, end });
  }
  reader.finish(end);
  addAbsent(kept, object);
}

/** Reads a field and all equal ones after it, as lists and maps are written. */
function readRun(
  reader: WireReader,
  { type }: KeptMessage,
  { field: { name }, wanted }: KeptField,
  object: Members,
  { tag, start, end }: { readonly tag: number; readonly start: number; readonly end: number },
): void {
  reader.skip(tag, end);
  let runEnd = reader.position;
  while (reader.position < end && reader.varint() === tag) {
    reader.skip(tag, end);
    runEnd = reader.position;
  }
  reader.position = start;
  if (wanted === undefined) {
    readFields(reader, type, object, runEnd);
    return;
  }
  const whole: Members = {};
  readFields(reader, type, whole, runEnd);
  const value = whole[name];
  if (isRecord(value)) Object.assign(memberOf(object, name), pickFields(value, wanted));
}

function addAbsent({ required }: KeptMessage, object: Members): void {
  for (const { field, wanted } of required) {
    if (object[field.name] !== undefined) continue;
    const { absent } = field;
    if (wanted === undefined) object[field.name] = absent;
    else if (isRecord(absent)) object[field.name] = pickFields(absent, wanted);
  }
}

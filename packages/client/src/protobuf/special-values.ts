import type { WireReader } from "../wire/wire-reader.ts";

// Messages whose JSON form differs from their fields. Tags are eight times the field number, plus 2
// if the value has a length: apimachinery's generated.proto files.
const firstText = 0x0a;
const firstNumber = 0x08;
const secondNumber = 0x10;
const thirdText = 0x1a;

/** Seconds from year 1 to 1970: Go's zero time, which is null in JSON. */
const zeroTimeSeconds = -62_135_596_800;

/** Cache of formatted times, by the last bits of their seconds. */
const formattedTimes = 256;
const secondsOfTimes = new Float64Array(formattedTimes).fill(Number.NaN);
const textsOfTimes: string[] = Array.from({ length: formattedTimes }, () => "");

/** Reads a Time, or a MicroTime if `digits` is 6, as RFC 3339 in UTC; null for Go's zero time. */
export function readTime(reader: WireReader, end: number, digits: 0 | 6): string | null {
  if (reader.position === end) return null;
  let seconds = 0;
  let nanos = 0;
  while (reader.position < end) {
    const tag = reader.varint();
    if (tag === firstNumber) seconds = reader.varint();
    else if (tag === secondNumber) nanos = reader.varint();
    else reader.skip(tag, end);
  }
  reader.finish(end);
  if (seconds === zeroTimeSeconds && (digits === 0 || nanos === 0)) return null;
  const text = formatTime(seconds, reader);
  if (digits === 0) return text;
  return `${text.slice(0, -1)}.${String(Math.floor(nanos / 1000)).padStart(digits, "0")}Z`;
}

function formatTime(seconds: number, reader: WireReader): string {
  const place = seconds & (formattedTimes - 1);
  if (secondsOfTimes[place] === seconds) return textsOfTimes[place] ?? "";
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) throw reader.error("a time that JSON can say");
  const text = date.toISOString().replace(".000Z", "Z");
  secondsOfTimes[place] = seconds;
  textsOfTimes[place] = text;
  return text;
}

/** Reads a Quantity: the string in the first field. */
export function readQuantity(reader: WireReader, end: number): string {
  let text = "";
  while (reader.position < end) {
    const tag = reader.varint();
    if (tag === firstText) text = reader.text(reader.delimitedEnd(end));
    else reader.skip(tag, end);
  }
  reader.finish(end);
  return text;
}

/** Reads an IntOrString: its type, number and string. */
export function readIntOrString(reader: WireReader, end: number): number | string {
  let type = 0;
  let number = 0;
  let text = "";
  while (reader.position < end) {
    const tag = reader.varint();
    if (tag === firstNumber) type = reader.varint();
    else if (tag === secondNumber) number = reader.varint();
    else if (tag === thirdText) text = reader.text(reader.delimitedEnd(end));
    else reader.skip(tag, end);
  }
  reader.finish(end);
  return type === 0 ? number : text;
}

/** Reads a message that is a list of strings. */
export function readTexts(reader: WireReader, end: number): string[] {
  const texts: string[] = [];
  while (reader.position < end) {
    const tag = reader.varint();
    if (tag === firstText) texts.push(reader.text(reader.delimitedEnd(end)));
    else reader.skip(tag, end);
  }
  reader.finish(end);
  return texts;
}

/** Reads a RawExtension or FieldsV1: JSON in the first field. */
export function readRaw(reader: WireReader, end: number): unknown {
  let value: unknown = null;
  while (reader.position < end) {
    const tag = reader.varint();
    if (tag === firstText) value = readJson(reader, reader.delimitedEnd(end));
    else reader.skip(tag, end);
  }
  reader.finish(end);
  return value;
}

function readJson(reader: WireReader, end: number): unknown {
  if (reader.position === end) return null;
  const text = reader.text(end);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw reader.error("JSON in its field", { cause });
  }
}

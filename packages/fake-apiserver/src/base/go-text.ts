const shortEscapes: ReadonlyMap<string, string> = new Map([
  ["\u0007", "\\a"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\v", "\\v"],
  ['"', '\\"'],
  ["\\", "\\\\"],
]);

const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** Same as Go's `unicode.IsPrint`. */
export function isPrintable(character: string): boolean {
  return printable.test(character);
}

/** Formats a string like Go's `%q`, which quotes values in most of the server's messages. */
export function goQuote(text: string): string {
  let quoted = '"';
  for (const character of text) quoted += escapeCharacter(character);
  return `${quoted}"`;
}

function escapeCharacter(character: string): string {
  const short = shortEscapes.get(character);
  if (short !== undefined) return short;
  if (isPrintable(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, "0")}`;
  if (code > 0xffff) return `\\U${code.toString(16).padStart(8, "0")}`;
  return `\\u${code.toString(16).padStart(4, "0")}`;
}

/**
 * Converts a JSON value to a string for messages and tables. Strings stay the same. Objects become
 * JSON, even with a member `toString`, which `String` would call.
 */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

/** Formats a number like Go's `%v` of a float64, with at least two digits in an exponent. */
export function goNumber(value: number): string {
  const text = String(value);
  return text.replace(/e([+-])(\d)$/, "e$10$2");
}

const utf8 = new TextEncoder();

/** Same as Go's `len`: bytes of UTF-8. */
export function byteLength(text: string): number {
  // Names and labels are ASCII, with one byte per character.
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) > 0x7f) return utf8.encode(text).length;
  }
  return text.length;
}

/** Whether a string has more than `max` bytes of UTF-8. Cheap for short strings. */
export function exceedsBytes(text: string, max: number): boolean {
  if (text.length > max) return true;
  // A UTF-16 unit has at most three bytes.
  return text.length * 3 > max && byteLength(text) > max;
}

/** Formats a value like Go's JSON encoder: escapes `<`, `>` and `&`, sorts the keys of maps. */
export function goJson(value: unknown): string {
  return escapeHtml(JSON.stringify(sortKeys(value)) ?? "null");
}

/** Formats a struct like Go's JSON encoder, with its fields in order. */
export function goStruct(fields: Readonly<Record<string, unknown>>): string {
  const members = Object.entries(fields).map(([name, value]) => `"${name}":${goJson(value)}`);
  return `{${members.join(",")}}`;
}

/** Escapes `<`, `>` and `&` in JSON, as Go's encoder does and `JSON.stringify` does not. */
export function escapeHtml(json: string): string {
  return json.replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Sorts the members of all objects in a value. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => compareBytes(a, b));
  return Object.fromEntries(entries.map(([key, entry]) => [key, sortKeys(entry)]));
}

/** Compares strings like Go: by bytes, not by UTF-16 units. */
export function compareBytes(a: string, b: string): number {
  const common = Math.min(a.length, b.length);
  for (let index = 0; index < common; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    // Surrogates encode characters above any other unit.
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

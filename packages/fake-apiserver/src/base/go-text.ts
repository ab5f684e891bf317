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

/**
 * What Go's `unicode.IsPrint` accepts: letters, marks, numbers, punctuation, symbols and the ASCII
 * space.
 */
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** Whether Go's `unicode.IsPrint` holds for a character. */
export function isPrintable(character: string): boolean {
  return printable.test(character);
}

/** A text as Go's `%q` prints it: most messages of the server quote values this way. */
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
 * Any JSON value as a text for messages and tables. A text is itself; objects are JSON, also those
 * with a member `toString`, which `String` would call.
 */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

/** A number as Go's `%v` prints a float64 (an exponent has at least two digits). */
export function goNumber(value: number): string {
  const text = String(value);
  return text.replace(/e([+-])(\d)$/, "e$10$2");
}

const utf8 = new TextEncoder();

/** The length Go's `len` gives: bytes of UTF-8. */
export function byteLength(text: string): number {
  // Names and labels are ASCII, where each character is a byte.
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) > 0x7f) return utf8.encode(text).length;
  }
  return text.length;
}

/** Whether a text has more than `max` bytes of UTF-8; cheap for texts that clearly have not. */
export function exceedsBytes(text: string, max: number): boolean {
  if (text.length > max) return true;
  // A UTF-16 unit has at most three bytes.
  return text.length * 3 > max && byteLength(text) > max;
}

/** A value as JSON the way Go's encoder writes it: `<`, `>` and `&` escaped, keys of maps sorted. */
export function goJson(value: unknown): string {
  return escapeHtml(JSON.stringify(sortKeys(value)) ?? "null");
}

/** A struct as JSON the way Go's encoder writes it: its fields in their order. */
export function goStruct(fields: Readonly<Record<string, unknown>>): string {
  const members = Object.entries(fields).map(([name, value]) => `"${name}":${goJson(value)}`);
  return `{${members.join(",")}}`;
}

/** Escapes what Go's JSON encoder escapes and `JSON.stringify` does not. */
function escapeHtml(json: string): string {
  return json.replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => compareBytes(a, b));
  return Object.fromEntries(entries.map(([key, entry]) => [key, sortKeys(entry)]));
}

/** Orders texts as Go does: by their bytes, not by UTF-16 units. */
export function compareBytes(a: string, b: string): number {
  const common = Math.min(a.length, b.length);
  for (let index = 0; index < common; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    // Halves of a character beyond 0xffff stand for more than any single unit does.
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

import type { Scalar } from "yaml";
import { MalformedBodyError } from "./errors.ts";

const tagPrefix = "tag:yaml.org,2002:";

/**
 * Returns the value of a scalar as Go's decoder reads it.
 *
 * @throws {MalformedBodyError} if its tag does not fit, or JSON has no such number
 */
export function scalarValue(node: Scalar): unknown {
  const { source = "", tag, type, value } = node;
  const name = tag?.startsWith(tagPrefix) === true ? tag.slice(tagPrefix.length) : "";
  if (name === "binary") return decodeBase64(String(value));
  if (typeof value === "symbol") return value.description;
  const isNumber = name === "int" || name === "float";
  if (isNumber || (tag === undefined && type === "PLAIN")) {
    const read = /^[-+.\d]/.test(source) ? numberOf(source) : undefined;
    if (read !== undefined && (name !== "int" || isInteger(source))) return read;
    // The library takes more for numbers, such as `e1` and `1:30`.
    if (!isNumber && typeof value === "number") return source;
  }
  if (typeof value === "boolean" || value === null) return value;
  const text = typeof value === "string" ? value : source;
  if (["bool", "float", "int", "null", "timestamp"].includes(name)) {
    if (name === "null" && text === "") return null;
    if (name === "timestamp" && /^\d{4}-/.test(text) && !Number.isNaN(Date.parse(text)))
      return text;
    throw new MalformedBodyError(`yaml: cannot decode !!str \`${source}\` as a !!${name}`);
  }
  return text;
}

const prefixed = /^([-+]?)0(?:x([\da-f]+)|b([01]+)|o?([0-7]+))$/i;
const decimal = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?$/i;

function isInteger(source: string): boolean {
  const plain = source.replaceAll("_", "");
  return prefixed.test(plain) || /^[-+]?(?:0|[1-9]\d*)$/.test(plain);
}

/** Largest integers of 64 bits; what is above, in hexadecimal, is a string. */
const largest = { signed: 2n ** 63n - 1n, unsigned: 2n ** 64n - 1n };

/**
 * Returns the number in a plain scalar: gopkg.in/yaml.v2, resolve.go. Undefined for a string.
 *
 * @throws {MalformedBodyError} if JSON has no such number
 */
function numberOf(source: string): number | undefined {
  if (/^[-+]?\.(?:inf|Inf|INF)$|^\.(?:nan|NaN|NAN)$/.test(source)) {
    const shown = /n$/i.test(source) ? "NaN" : source.startsWith("-") ? "-Inf" : "+Inf";
    throw new MalformedBodyError(`json: unsupported value: ${shown}`);
  }
  // Only what begins with a digit or a sign may contain them.
  const plain = source.startsWith(".") ? source : source.replaceAll("_", "");
  const [, sign, hexadecimal, binary, octal] = prefixed.exec(plain) ?? [];
  const digits =
    (hexadecimal && `0x${hexadecimal}`) || (binary && `0b${binary}`) || (octal && `0o${octal}`);
  if (digits) {
    const value = BigInt(digits);
    const isTooLarge = value > (sign === "" ? largest.unsigned : largest.signed);
    if (!isTooLarge) return Number(sign === "-" ? -value : value);
    return decimal.test(plain) ? Number(plain) : undefined;
  }
  const value = decimal.test(plain) ? Number(plain) : Number.NaN;
  // JSON has no negative zero.
  return Number.isFinite(value) ? value + 0 : undefined;
}

const words: ReadonlyMap<string, boolean | null> = new Map(
  [
    [true, "y yes true on"] as const,
    [false, "n no false off"] as const,
    [null, "null"] as const,
  ].flatMap(([value, names]) =>
    names
      .split(" ")
      .flatMap((name) => [name, name.toUpperCase(), name.charAt(0).toUpperCase() + name.slice(1)])
      .map((name) => [name, value] as const),
  ),
);

/**
 * Returns the value of a plain scalar without a tag.
 *
 * @throws {MalformedBodyError} if JSON has no such number
 */
export function plainValue(source: string): unknown {
  if (source === "" || source === "~") return null;
  const word = words.get(source);
  if (word !== undefined) return word;
  return (/^[-+.\d]/.test(source) ? numberOf(source) : undefined) ?? source;
}

/**
 * Returns a number that is a key: sigs.k8s.io/yaml, `convertToJSONableObject`, which writes floats
 * with the precision of 32 bits.
 *
 * @throws {MalformedBodyError} for an integer that only an unsigned one of 64 bits can be
 */
export function keyOfNumber(source: string): string {
  const special = /^([-+]?)\.(inf|nan)$/i.exec(source);
  if (special) return `${special[1] === "-" ? "-" : ""}.${special[2]?.toLowerCase()}`;
  const value = numberOf(source);
  if (value === undefined) return source;
  const plain = source.replaceAll("_", "");
  if (!prefixed.test(plain) && !/^[-+]?\d+$/.test(plain)) return formatFloat(value);
  const integer = BigInt(value);
  const exact = /^[-+]?[1-9]/.test(plain) ? BigInt(plain.replace("+", "")) : integer;
  if (exact > largest.unsigned || exact < -largest.signed - 1n) return formatFloat(value);
  if (exact <= largest.signed) return String(exact);
  throw new MalformedBodyError("yaml: unsupported map key of type: uint64");
}

// strconv.FormatFloat(value, 'g', -1, 32)
function formatFloat(value: number): string {
  const rounded = Math.fround(value);
  let digits = 1;
  while (digits < 9 && Math.fround(Number(value.toPrecision(digits))) !== rounded) digits++;
  const [mantissa = "", exponent = ""] = value.toExponential(digits - 1).split("e");
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(Number(value.toPrecision(digits)));
  const sign = power < 0 ? "-" : "+";
  return `${mantissa}e${sign}${String(Math.abs(power)).padStart(2, "0")}`;
}

const utf8 = new TextDecoder();

function decodeBase64(text: string): string {
  const digits = text.replaceAll(/[\r\n]/g, "");
  if (digits.length % 4 !== 0 || !/^[A-Za-z\d+/]*={0,2}$/.test(digits)) {
    throw new MalformedBodyError("yaml: !!binary value contains invalid base64 data");
  }
  return utf8.decode(Uint8Array.from(atob(digits), (character) => character.charCodeAt(0)));
}

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
  if (typeof value === "number") return numberOf(value, source);
  if (typeof value === "symbol") return value.description;
  if (typeof value !== "string") return typeof value === "boolean" ? value : null;
  if (name === "float" && value !== "" && Number.isFinite(Number(value))) return Number(value);
  if (["bool", "float", "int", "null", "timestamp"].includes(name)) {
    if (name === "null" && value === "") return null;
    if (name === "timestamp" && !Number.isNaN(Date.parse(value))) return value;
    throw new MalformedBodyError(`yaml: cannot decode !!str \`${value}\` as a !!${name}`);
  }
  const octal = type === "PLAIN" && tag === undefined && /^([-+]?)0o([0-7]+)$/.exec(value);
  if (octal) return Number.parseInt(`${octal[1]}${octal[2]}`, 8);
  return value;
}

/** Largest number of an unsigned integer of 64 bits; what is above, in hexadecimal, is a string. */
const largestInteger = 2 ** 64;

function numberOf(value: number, source: string): unknown {
  if (/^[-+]?\.(inf|nan)$/i.test(source)) {
    const shown = Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
    throw new MalformedBodyError(`json: unsupported value: ${shown}`);
  }
  const isTooLarge = !Number.isFinite(value) || (/^[-+]?0/.test(source) && value >= largestInteger);
  // JSON has no negative zero.
  return isTooLarge ? source : value + 0;
}

const utf8 = new TextDecoder();

function decodeBase64(text: string): string {
  const digits = text.replaceAll(/[\r\n]/g, "");
  if (digits.length % 4 !== 0 || !/^[A-Za-z\d+/]*={0,2}$/.test(digits)) {
    throw new MalformedBodyError("yaml: !!binary value contains invalid base64 data");
  }
  return utf8.decode(Uint8Array.from(atob(digits), (character) => character.charCodeAt(0)));
}

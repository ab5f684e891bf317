import { spend, stepsPerItem } from "./budget.ts";
import { doubleText, textOfValue } from "./conversions.ts";
import { CelFailure, noSuchOverload } from "./failures.ts";
import { isFielded, keysOf, memberOf, TypeValue, UnsignedInt } from "./values.ts";

const verbPattern = /%(?:\.(\d+))?(.)?/gsu;

/** `text.format(values)` (cel-go ext/formatting_v2.go). */
export function formatText(text: string, values: unknown): string {
  if (!Array.isArray(values)) throw noSuchOverload();
  let next = 0;
  return text.replaceAll(verbPattern, (_all, digits: string | undefined, verb = "") => {
    if (verb === "%") return "%";
    if (next >= values.length) {
      throw new CelFailure(`index ${next} out of range`);
    }
    const precision = digits === undefined ? 6 : Number(digits);
    spend(precision * stepsPerItem);
    const written = formatValue(verb, values[next++], precision);
    spend(written.length * stepsPerItem);
    return written;
  });
}

function formatValue(verb: string, value: unknown, precision: number): string {
  switch (verb) {
    case "s":
      return plainText(value);
    case "d":
      if (typeof value === "bigint" || value instanceof UnsignedInt) return String(value);
      if (typeof value === "number" && !Number.isFinite(value)) return doubleText(value);
      break;
    case "f":
    case "e":
      if (typeof value !== "number" && typeof value !== "bigint") break;
      return decimal(verb, Number(value), precision);
    case "b":
      if (typeof value === "boolean") return value ? "1" : "0";
      if (typeof value === "bigint") return value.toString(2);
      break;
    case "o":
      if (typeof value === "bigint") return value.toString(8);
      break;
    case "x":
    case "X": {
      const digits = hexadecimal(value);
      if (digits !== undefined) return verb === "x" ? digits : digits.toUpperCase();
      break;
    }
  }
  throw new CelFailure(
    `could not parse formatting clause: unrecognized formatting clause "${verb}"`,
  );
}

function decimal(verb: "e" | "f", value: number, precision: number): string {
  if (!Number.isFinite(value)) return String(value);
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const write = verb === "f" ? fixed : exponential;
  return sign + write(exactDecimal(Math.abs(value)), precision);
}

/** A decimal number: its digits without the point, and how many of them are after it. */
interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

/** Returns a double exactly. JavaScript's own methods end after 100 digits. */
function exactDecimal(value: number): Decimal {
  let whole = value;
  let scale = 0;
  while (!Number.isInteger(whole)) {
    whole *= 2;
    scale++;
  }
  return { digits: BigInt(whole) * 5n ** BigInt(scale), scale };
}

/** Drops the last digits, and rounds half to even. */
function rounded(digits: bigint, dropped: number): string {
  const divisor = 10n ** BigInt(dropped);
  const quotient = digits / divisor;
  const twice = (digits % divisor) * 2n;
  const isUp = twice > divisor || (twice === divisor && quotient % 2n === 1n);
  return String(isUp ? quotient + 1n : quotient);
}

function fixed({ digits, scale }: Decimal, precision: number): string {
  const kept = Math.min(scale, precision);
  const written = rounded(digits, scale - kept).padStart(kept + 1, "0");
  const whole = written.slice(0, written.length - kept);
  const part = written.slice(whole.length).padEnd(precision, "0");
  return precision === 0 ? whole : `${whole}.${part}`;
}

function exponential({ digits, scale }: Decimal, precision: number): string {
  const { length } = String(digits);
  const written = rounded(digits, Math.max(0, length - precision - 1));
  const carried = length > precision + 1 && written.length > precision + 1 ? 1 : 0;
  const exponent = digits === 0n ? 0 : length - 1 - scale + carried;
  const part = written.slice(1, precision + 1).padEnd(precision, "0");
  const power = String(Math.abs(exponent)).padStart(2, "0");
  const first = written.charAt(0);
  return `${precision === 0 ? first : `${first}.${part}`}e${exponent < 0 ? "-" : "+"}${power}`;
}

function hexadecimal(value: unknown): string | undefined {
  if (typeof value === "bigint") return value.toString(16);
  const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
  if (!(bytes instanceof Uint8Array)) return undefined;
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function plainText(value: unknown): string {
  spend(stepsPerItem);
  if (Array.isArray(value)) return `[${value.map(plainText).join(", ")}]`;
  if (isFielded(value)) {
    const members = keysOf(value).map(
      (key) => [plainText(key), plainText(memberOf(value, key))] as const,
    );
    const sorted = members.toSorted(([left], [right]) => (left < right ? -1 : 1));
    return `{${sorted.map(([key, member]) => `${key}: ${member}`).join(", ")}}`;
  }
  if (value === null) return "null";
  return value instanceof TypeValue ? value.type : textOfValue(value);
}

import { ListwatchError } from "@listwatch/core-fifo/base";

/**
 * Matches integers of 16 digits or more, since 2^53 has 16, and null, which NaN becomes. It also
 * matches inside strings, which costs time only.
 */
const suspicious = /[[,:](?:-?\d{16}|null[,\]}])/;

/** JSON.stringify writes larger numbers with an exponent. Servers read these as floating-point. */
const endOfDigits = 1e21;

/**
 * Returns a body as JSON. BigInts become integers with all their digits.
 *
 * An integer beyond 2^53 may have been rounded: in an object that was read, a parsed file or a
 * literal. Only the body is checked, so that any copy of an object is, and reading costs nothing.
 *
 * @throws {ListwatchError} with the code `LW_INEXACT_NUMBER` if a number is not finite, or is an
 *   integer beyond 2^53
 */
export function bodyText(body: unknown, attempted: string): string {
  const text = plainText(body);
  if (text !== undefined && !(suspicious.test(text) && hasInexact(body))) return text;
  return exactText(body, [], attempted) ?? "null";
}

/** Returns the body as JSON; `undefined` if it contains BigInts, which JSON.stringify rejects. */
function plainText(body: unknown): string | undefined {
  try {
    return JSON.stringify(body);
  } catch (error) {
    let count = 0;
    // Throws again if the body is circular.
    JSON.stringify(body, (_, value: unknown) => (typeof value === "bigint" ? ++count : value));
    if (count === 0) throw error;
    return undefined;
  }
}

/** Whether a body without BigInts has a number that is not exact. */
function hasInexact(body: unknown): boolean {
  let found = false;
  JSON.stringify(body, (_, value: unknown) => {
    const number = unboxed(value);
    if (typeof number === "number" && !isExact(number)) found = true;
    return value;
  });
  return found;
}

type Path = readonly (string | number)[];

/**
 * Writes JSON like JSON.stringify, with BigInts, and checks the numbers. Returns `undefined` for
 * values that JSON omits, such as functions.
 */
function exactText(value: unknown, path: Path, attempted: string): string | undefined {
  const given = jsonOf(value, String(path.at(-1) ?? ""));
  if (typeof given === "bigint") return String(given);
  if (typeof given === "number" && !isExact(given))
    throw createInexactError(given, path, attempted);
  if (typeof given !== "object" || given === null || isRaw(given)) return JSON.stringify(given);
  const textAt = (member: unknown, name: string | number): string | undefined =>
    exactText(member, [...path, name], attempted);
  if (Array.isArray(given)) {
    return `[${Array.from(given, (item, index) => textAt(item, index) ?? "null").join(",")}]`;
  }
  const members = Object.entries(given).flatMap(([name, member]) => {
    const text = textAt(member, name);
    return text === undefined ? [] : `${JSON.stringify(name)}:${text}`;
  });
  return `{${members.join(",")}}`;
}

function createInexactError(value: number, path: Path, attempted: string): ListwatchError {
  const place = path.join(".");
  const reason = Number.isFinite(value)
    ? "an integer beyond 2^53, which JavaScript may have rounded"
    : "which JSON cannot represent";
  return new ListwatchError(
    "LW_INEXACT_NUMBER",
    `${attempted}: expected exact numbers, got ${value} at ${place}, ${reason}`,
    {
      advice:
        "Patch or apply only the fields that change, or give all digits as a BigInt, such as " +
        "1732752000123456789n",
    },
  );
}

/** Returns the value that JSON.stringify would write. */
function jsonOf(value: unknown, key: string): unknown {
  const { toJSON }: { toJSON?: unknown } = Object(value);
  return unboxed(typeof toJSON === "function" ? Reflect.apply(toJSON, value, [key]) : value);
}

/** Returns the primitive in an object such as `new Number(1)`, as JSON.stringify does. */
function unboxed(value: unknown): unknown {
  const isBox = [Number, String, Boolean, BigInt].some((box) => value instanceof box);
  return isBox ? Object(value).valueOf() : value;
}

/** Whether a value is the text of `JSON.rawJSON`, which not all runtimes have. */
function isRaw(value: unknown): boolean {
  const { isRawJSON }: { isRawJSON?: unknown } = Object(JSON);
  return typeof isRawJSON === "function" && Reflect.apply(isRawJSON, JSON, [value]) === true;
}

function isExact(value: number): boolean {
  if (!Number.isInteger(value)) return Number.isFinite(value);
  return Number.isSafeInteger(value) || Math.abs(value) >= endOfDigits;
}

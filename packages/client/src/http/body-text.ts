import { ListwatchError, systemRandom } from "@listwatch/core-fifo/base";

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
  const text = plainText(body) ?? "null";
  if (!suspicious.test(text)) return text;
  const inexact = findInexact(body, "");
  if (inexact !== undefined) throw createInexactError(inexact, attempted);
  return text;
}

/** Returns the body as JSON; `undefined` if JSON omits it, such as a function. */
function plainText(body: unknown): string | undefined {
  try {
    return JSON.stringify(body);
  } catch (error) {
    return textWithBigInts(body, error);
  }
}

/**
 * Returns JSON with BigInts, which JSON.stringify rejects: they become marked strings, which then
 * lose mark and quotes.
 *
 * @throws the given error if there is no BigInt
 */
function textWithBigInts(body: unknown, error: unknown): string {
  let count = 0;
  const write = (mark: string): string =>
    JSON.stringify(body, (_, value: unknown) => {
      const given = unboxed(value);
      if (typeof given !== "bigint") return value;
      count++;
      return `${mark}${given}`;
    });
  // Throws again if the body is circular.
  const text = write("");
  if (count === 0) throw error;
  let mark: string;
  do mark = `n${String(systemRandom()).slice(2)}n`;
  while (text.includes(mark));
  return write(mark).replaceAll(new RegExp(`"${mark}(-?\\d+)"`, "g"), "$1");
}

/** A number that JSON would change. */
interface Inexact {
  readonly value: number;
  /** Names and positions of the members that contain it, the innermost first. */
  readonly path: string[];
}

/** Looks for a number that would be changed. Only the way back builds the path. */
function findInexact(value: unknown, name: string | number): Inexact | undefined {
  const given = jsonOf(value, name);
  if (typeof given === "number") return isExact(given) ? undefined : { value: given, path: [] };
  if (typeof given !== "object" || given === null || isRaw(given)) return undefined;
  for (const [member, content] of Array.isArray(given) ? given.entries() : Object.entries(given)) {
    const found = findInexact(content, member);
    if (found === undefined) continue;
    found.path.push(String(member));
    return found;
  }
  return undefined;
}

function createInexactError({ value, path }: Inexact, attempted: string): ListwatchError {
  const place = path.toReversed().join(".");
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
function jsonOf(value: unknown, key: string | number): unknown {
  if ((typeof value !== "object" && typeof value !== "bigint") || value === null) return value;
  const { toJSON }: { toJSON?: unknown } = Object(value);
  return unboxed(
    typeof toJSON === "function" ? Reflect.apply(toJSON, value, [String(key)]) : value,
  );
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

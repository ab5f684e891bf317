const maxDescriptionLength = 120;

/** Describes a value briefly for an error message. */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case "string":
      return `the string ${JSON.stringify(value)}`;
    case "number":
    case "boolean":
    case "bigint":
      return `the ${typeof value} ${value}`;
    case "symbol":
    case "function":
      return `a ${typeof value}`;
    case "object":
      return value === null ? "null" : describeObject(value);
    case "undefined":
    default:
      return String(value);
  }
}

function describeObject(value: object): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    // Circular values and BigInts have no JSON form; only the kind of value is shown.
  }
  if (text === undefined) return "an object";
  return text.length > maxDescriptionLength ? `${text.slice(0, maxDescriptionLength)}…` : text;
}

/**
 * Returns the message of an error, or a description of any other thrown value. Never throws:
 * programs may throw a proxy, whose every member may throw.
 */
export function describeError(error: unknown): string {
  try {
    if (error instanceof Error) {
      const message: unknown = error.message;
      return String(message);
    }
  } catch {
    return "an error that cannot be read";
  }
  // Some objects cannot be converted to a string.
  return Object(error) === error ? describeValue(error) : String(error);
}

/** Whether anything that was thrown is an instance of a class. Never throws, as `instanceof` may. */
export function isInstance<T>(
  value: unknown,
  type: abstract new (...parameters: never[]) => T,
): value is T {
  try {
    return value instanceof type;
  } catch {
    return false;
  }
}

/**
 * Whether a callback works asynchronously. Checks the value, because a function of type `void` may
 * return anything.
 */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return (
    (typeof value === "object" || typeof value === "function") &&
    value !== null &&
    "then" in value &&
    typeof value.then === "function"
  );
}

/**
 * Rejects a promise returned by a user callback that must be synchronous. A later rejection of that
 * promise is handled.
 *
 * @throws {TypeError} if it is a promise
 */
export function checkSynchronous(value: unknown, expected: string): void {
  if (!isPromiseLike(value)) return;
  value.then(undefined, () => {});
  throw new TypeError(`expected ${expected}, got a promise: the function must not be asynchronous`);
}

/**
 * Checks and returns the result of a key function. If all keys were `undefined`, for example,
 * objects would hide each other.
 *
 * @throws {TypeError} if it is not a string
 */
export function checkKey(key: unknown): string {
  if (typeof key === "string") return key;
  checkSynchronous(key, "a text");
  throw new TypeError(`expected a text, got ${describeValue(key)}`);
}

/**
 * Escapes the characters that have a meaning in a field selector: apimachinery
 * `fields.EscapeValue`.
 */
export function escapeFieldValue(value: string): string {
  return value.replaceAll(/[\\,=]/g, String.raw`\$&`);
}

/** Encodings by their byte order marks, as in Go's reader of YAML. */
const encodings: readonly (readonly [label: string, mark: readonly number[]])[] = [
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/**
 * Decodes the bytes of a text file: UTF-16 if it starts with that byte order mark, as files that
 * PowerShell writes, otherwise UTF-8. The mark is not part of the result.
 */
export function decodeText(bytes: Uint8Array): string {
  const marked = encodings.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte));
  return new TextDecoder(marked?.[0]).decode(bytes);
}

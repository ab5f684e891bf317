const maxDescriptionLength = 120;

/** A short text that tells the reader of an error message which value was given. */
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
    // Circular values and BigInts have no JSON; the kind of value is all there is to say.
  }
  if (text === undefined) return "an object";
  return text.length > maxDescriptionLength ? `${text.slice(0, maxDescriptionLength)}…` : text;
}

/** The message of an error, or a text for anything else that was thrown. */
export function describeError(error: unknown): string {
  if (error instanceof Error) return error.message;
  // Some objects cannot be turned into a text.
  return Object(error) === error ? describeValue(error) : String(error);
}

/**
 * Whether a callback works asynchronously. Looks at the value, because a function type that returns
 * `void` may return anything.
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
 * Checks what a function of a user's gave where nothing can be waited for. A promise that rejects
 * later is no unhandled rejection.
 *
 * @throws {TypeError} if it is a promise
 */
export function checkSynchronous(value: unknown, expected: string): void {
  if (!isPromiseLike(value)) return;
  value.then(undefined, () => {});
  throw new TypeError(`expected ${expected}, got a promise: the function must not be asynchronous`);
}

/**
 * Checks what a key function gave, and returns it. Objects whose keys are all `undefined`, say,
 * would hide each other.
 *
 * @throws {TypeError} if it is no text
 */
export function checkKey(key: unknown): string {
  if (typeof key === "string") return key;
  checkSynchronous(key, "a text");
  throw new TypeError(`expected a text, got ${describeValue(key)}`);
}

import { InvalidSelectorError } from "./selector-errors.ts";

/** One term of a field selector. */
export interface FieldRequirement {
  /** Path of the field, such as `spec.nodeName`. */
  readonly field: string;
  /** Comparison. `==` in a selector is parsed as `=`. */
  readonly operator: "=" | "!=";
  /** Value to compare with, without escapes. May be `""`. */
  readonly value: string;
}

interface Term {
  readonly text: string;
  readonly position: number;
}

/**
 * Returns the terms of a field selector, sorted. Empty terms are dropped, including "=" without
 * field and value.
 */
export function parseTerms(selector: string): FieldRequirement[] {
  return splitTerms(selector)
    .toSorted((left, right) => (left.text < right.text ? -1 : +(left.text > right.text)))
    .map((term) => parseTerm(selector, term))
    .filter(({ field, value }) => field !== "" || value !== "");
}

/**
 * Returns the value of a field by its path, such as `spec.nodeName`. Strings are returned as they
 * are, numbers and booleans as strings; other values are `undefined`. The API server supports a few
 * fields of each resource, a cache supports all.
 */
export function fieldOf(object: unknown, path: string): string | undefined {
  let value: unknown = object;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null) return undefined;
    // Read, since members of lazy objects are accessors.
    value = Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
  }
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" ? value : undefined;
}

/** Whether the value of a term's field is what the term requires. A missing one counts as empty. */
export function holds({ operator, value }: FieldRequirement, actual: string | undefined): boolean {
  return ((actual ?? "") === value) === (operator === "=");
}

/**
 * Removes the backslashes that `escapeFieldValue` adds.
 *
 * @throws {InvalidSelectorError} with the code `LW_INVALID_ESCAPE` if something else follows a
 *   backslash, `LW_UNESCAPED_CHARACTER` if a comma or an equals sign has no backslash
 */
export function unescapeFieldValue(value: string): string {
  return unescapeIn(value, { text: value, position: 0 });
}

// A comma ends a term unless a backslash precedes it. Any character after a backslash is skipped.
function splitTerms(selector: string): Term[] {
  return Array.from(selector.matchAll(/(?:\\[^]?|[^\\,])+/g), ({ 0: text, index: position }) => ({
    text,
    position,
  }));
}

function parseTerm(selector: string, { text, position }: Term): FieldRequirement {
  const match = /!=|==?/.exec(text);
  if (match === null) {
    throw new InvalidSelectorError({
      selector,
      position,
      problem: `expected a term with "=", "==" or "!=", got ${JSON.stringify(text)}`,
    });
  }
  const [operator] = match;
  const valueStart = match.index + operator.length;
  return {
    field: text.slice(0, match.index),
    operator: operator === "!=" ? operator : "=",
    value: unescapeIn(selector, { text: text.slice(valueStart), position: position + valueStart }),
  };
}

function unescapeIn(selector: string, { text, position }: Term): string {
  return text.replaceAll(/\\([^]?)|[,=]/g, (found: string, escaped: string, index: number) => {
    if (/^\\[\\,=]$/.test(found)) return escaped;
    const got = JSON.stringify(found);
    const isEscape = found.startsWith("\\");
    throw new InvalidSelectorError({
      code: isEscape ? "LW_INVALID_ESCAPE" : "LW_UNESCAPED_CHARACTER",
      selector,
      position: position + index,
      problem: isEscape
        ? String.raw`expected "\\", "\," or "\=", got ${got}`
        : `expected a backslash before ${got}`,
    });
  });
}

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
    .toSorted((left, right) => compareText(left.text, right.text))
    .map((term) => parseTerm(selector, term))
    .filter(({ field, value }) => field !== "" || value !== "");
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
  const terms: Term[] = [];
  let start = 0;
  for (let index = 0; index <= selector.length; index += 1) {
    const character = selector[index];
    if (character === "\\") {
      index += 1;
    }
    if (character === "," || index >= selector.length) {
      if (index > start) terms.push({ text: selector.slice(start, index), position: start });
      start = index + 1;
    }
  }
  return terms;
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
  const valueStart = match.index + match[0].length;
  return {
    field: text.slice(0, match.index),
    operator: match[0] === "!=" ? "!=" : "=",
    value: unescapeIn(selector, { text: text.slice(valueStart), position: position + valueStart }),
  };
}

function unescapeIn(selector: string, { text, position }: Term): string {
  let value = "";
  for (let index = 0; index < text.length; index += 1) {
    let character = text.charAt(index);
    if (character === "\\") {
      index += 1;
      character = text.charAt(index);
      if (character !== "\\" && character !== "," && character !== "=") {
        throw new InvalidSelectorError({
          code: "LW_INVALID_ESCAPE",
          selector,
          position: position + index - 1,
          problem: String.raw`expected "\\", "\," or "\=", got ${JSON.stringify(`\\${character}`)}`,
        });
      }
    } else if (character === "," || character === "=") {
      throw new InvalidSelectorError({
        code: "LW_UNESCAPED_CHARACTER",
        selector,
        position: position + index,
        problem: `expected a backslash before ${JSON.stringify(character)}`,
      });
    }
    value += character;
  }
  return value;
}

function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

import { compareBytes } from "../base/go-text.ts";
import { SelectorError } from "../api/errors.ts";

/** One condition of a field selector; `==` becomes `=`. */
interface FieldRequirement {
  readonly field: string;
  readonly operator: "=" | "!=";
  readonly value: string;
}

/** A parsed field selector, whose requirements must all match. */
export interface FieldSelector {
  /** In byte order of the terms, as in the server's checks. */
  readonly requirements: readonly FieldRequirement[];
  /** True if every object matches. */
  readonly empty: boolean;
  /** Matches an object. `get` returns the value of a field, "" for a missing one. */
  matches(get: (field: string) => string): boolean;
}

/** Longer operators first, so that no `=` remains in the value. */
const operatorPattern = /!=|==|=/;

/**
 * Parses a field selector. `assertSupportedFields` checks that a resource supports its fields.
 *
 * @throws {SelectorError} with the message of the server's 400 answer
 */
export function parseFieldSelector(text: string): FieldSelector {
  const terms = splitTerms(text).filter((term) => term !== "");
  const requirements = terms
    .toSorted(compareBytes)
    .map((term) => parseTerm(term, text))
    // An operator without field and value is dropped, not treated as an unnamed field.
    .filter(({ field, value }) => field !== "" || value !== "");
  return {
    requirements,
    empty: requirements.length === 0,
    matches: (get) =>
      requirements.every(
        ({ field, operator, value }) => (get(field) === value) === (operator === "="),
      ),
  };
}

function parseTerm(term: string, selector: string): FieldRequirement {
  const match = operatorPattern.exec(term);
  if (match === null) {
    throw new SelectorError(`invalid selector: '${selector}'; can't understand '${term}'`);
  }
  return {
    field: term.slice(0, match.index),
    operator: match[0] === "!=" ? "!=" : "=",
    value: unescapeValue(term.slice(match.index + match[0].length)),
  };
}

/** Splits at commas without a backslash before them; keeps the backslashes. */
function splitTerms(text: string): readonly string[] {
  const terms: string[] = [];
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (character === "\\") i++;
    else if (character === ",") {
      terms.push(text.slice(start, i));
      start = i + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

function unescapeValue(value: string): string {
  let unescaped = "";
  let isEscaped = false;
  for (const character of value) {
    if (isEscaped) {
      if (!["\\", ",", "="].includes(character)) throw invalidEscape(`\\${character}`);
      unescaped += character;
      isEscaped = false;
    } else if (character === "\\") {
      isEscaped = true;
    } else if (character === "," || character === "=") {
      // The server prints the code point as a number.
      const code = character.charCodeAt(0);
      throw new SelectorError(`invalid field selector: unescaped character in value: ${code}`);
    } else {
      unescaped += character;
    }
  }
  if (isEscaped) throw invalidEscape("\\");
  return unescaped;
}

function invalidEscape(sequence: string): SelectorError {
  return new SelectorError(`invalid field selector: invalid escape sequence: ${sequence}`);
}

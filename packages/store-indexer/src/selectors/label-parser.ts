import type { LabelOperator } from "./label-test.ts";
import { InvalidRequirementError, InvalidSelectorError } from "./selector-errors.ts";

/** A word or a symbol of a label selector. */
interface Token {
  /** Its characters; `""` at the end of the selector. */
  readonly text: string;
  /** Index of its first character. */
  readonly index: number;
}

const operators: ReadonlyMap<string, LabelOperator> = /* @__PURE__ */ new Map([
  ["=", "="],
  ["==", "=="],
  ["!=", "!="],
  [">", "gt"],
  ["<", "lt"],
  ["in", "in"],
  ["notin", "notin"],
]);

/**
 * Calls `create` for each requirement of a label selector and returns the results in their order.
 * Grammar, where values and words may also be `in` and `notin`:
 *
 * ```
 * selector    = [ requirement { "," requirement } ]
 * requirement = [ "!" ] key
 *             | key ( "=" | "==" | "!=" | ">" | "<" ) [ value ]
 *             | key ( "in" | "notin" ) "(" [ value ] { "," [ value ] } ")"
 * ```
 *
 * @param create may throw an `InvalidRequirementError`
 * @throws {InvalidSelectorError}
 */
export function parseRequirements<R>(
  selector: string,
  create: (key: string, operator: LabelOperator, values: readonly string[]) => R,
): R[] {
  // Longer operators come first. All other characters except white space belong to words.
  const pattern = /[!=]=|[=!(),<>]|[^ \t\r\n=!(),<>]+/g;
  const end: Token = { text: "", index: selector.length };
  let token = end;

  const next = (): Token => {
    const taken = token;
    const found = pattern.exec(selector);
    token = found === null ? end : { text: found[0], index: found.index };
    return taken;
  };
  const fail = (expected: string): never => {
    const { text: got, index: position } = token;
    const problem = `expected ${expected}, got ${got === "" ? "the end" : JSON.stringify(got)}`;
    throw new InvalidSelectorError({ selector, position, problem });
  };
  const isWord = (): boolean => /^[^=!(),<>]/.test(token.text);
  const word = (expected: string): Token => (isWord() ? next() : fail(expected));
  const accept = (text: string): boolean => {
    const isNext = token.text === text;
    if (isNext) next();
    return isNext;
  };
  const expect = (text: string, expected: string): true => accept(text) || fail(expected);
  /** A missing value is the empty one. */
  const noValue = (): Token => ({ ...token, text: "" });
  const isLast = (): boolean => token.text === "," || token === end;

  const valuesInParentheses = (): Token[] => {
    const values = new Map<string, Token>();
    expect("(", 'a "("');
    do {
      const value = isWord() ? next() : noValue();
      values.set(value.text, value);
    } while (!accept(")") && expect(",", 'a "," or ")"'));
    return [...values.values()];
  };
  const parseOne = (): R => {
    const isNegated = accept("!");
    const key = word(isNegated ? "a key" : 'a key or "!"');
    let operator: LabelOperator | undefined = isNegated ? "!" : "exists";
    let values: readonly Token[] = [];
    if (!isNegated && !isLast()) {
      operator = operators.get(token.text) ?? fail(`one of ${[...operators.keys()].join(" ")}`);
      next();
      if (operator === "in" || operator === "notin") values = valuesInParentheses();
      else values = [isLast() ? noValue() : word("a value")];
    }
    try {
      return create(
        key.text,
        operator,
        values.map(({ text }) => text),
      );
    } catch (cause) {
      if (!(cause instanceof InvalidRequirementError)) throw cause;
      const { problem, value } = cause;
      const { index: position } = values.find(({ text }) => text === value) ?? key;
      throw new InvalidSelectorError({ selector, position, problem, cause });
    }
  };

  next();
  const requirements: R[] = [];
  if (token === end) return requirements;
  for (;;) {
    requirements.push(parseOne());
    if (token === end) return requirements;
    expect(",", 'a "," or the end');
  }
}

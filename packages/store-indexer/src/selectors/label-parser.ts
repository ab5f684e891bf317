import { type LabelOperator, LabelRequirement } from "./label-requirement.ts";
import { InvalidRequirementError, InvalidSelectorError } from "./selector-errors.ts";
import { type Token, type TokenKind, tokenize } from "./label-lexer.ts";

/**
 * Returns the requirements of a label selector in their order. Grammar, where values and words may
 * also be `in` and `notin`:
 *
 * ```
 * selector    = [ requirement { "," requirement } ]
 * requirement = [ "!" ] key
 *             | key ( "=" | "==" | "!=" | ">" | "<" ) [ value ]
 *             | key ( "in" | "notin" ) "(" [ value ] { "," [ value ] } ")"
 * ```
 *
 * @throws {InvalidSelectorError}
 */
export function parseRequirements(selector: string): LabelRequirement[] {
  return new LabelParser(selector).parse();
}

const operators: ReadonlyMap<string, LabelOperator> = new Map([
  ["=", "="],
  ["==", "=="],
  ["!=", "!="],
  [">", "gt"],
  ["<", "lt"],
  ["in", "in"],
  ["notin", "notin"],
]);

class LabelParser {
  readonly #selector: string;
  readonly #tokens: readonly Token[];
  #next = 0;

  constructor(selector: string) {
    this.#selector = selector;
    this.#tokens = tokenize(selector);
  }

  parse(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    if (this.#is("end")) return requirements;
    for (;;) {
      requirements.push(this.#requirement());
      if (this.#is("end")) return requirements;
      this.#expect(",", 'a "," or the end');
    }
  }

  #requirement(): LabelRequirement {
    const isNegated = this.#is("!");
    if (isNegated) this.#take();
    const key = this.#expect("word", isNegated ? "a key" : 'a key or "!"');
    if (isNegated) return this.#checked(key, "!", []);
    if (this.#is(",") || this.#is("end")) return this.#checked(key, "exists", []);
    const operator = operators.get(this.#peek().text);
    if (operator === undefined)
      this.#fail(this.#peek(), `one of ${[...operators.keys()].join(" ")}`);
    this.#take();
    if (operator === "in" || operator === "notin") return this.#checked(key, operator, this.#set());
    return this.#checked(key, operator, [this.#value()]);
  }

  /** Returns the value of a comparison. A missing value is the empty one. */
  #value(): Token {
    if (this.#is(",") || this.#is("end")) return { ...this.#peek(), text: "" };
    return this.#expect("word", "a value");
  }

  #set(): Token[] {
    this.#expect("(", 'a "("');
    const values = new Map<string, Token>();
    for (;;) {
      // A missing value between commas is the empty one, also in "()".
      const value = this.#is("word") ? this.#take() : { ...this.#peek(), text: "" };
      values.set(value.text, value);
      if (this.#is(")")) break;
      this.#expect(",", 'a "," or ")"');
    }
    this.#take();
    return [...values.values()];
  }

  #checked(key: Token, operator: LabelOperator, values: readonly Token[]): LabelRequirement {
    try {
      const texts = values.map((value) => value.text);
      return new LabelRequirement(key.text, operator, texts);
    } catch (cause) {
      if (!(cause instanceof InvalidRequirementError)) throw cause;
      const wrong = values.find((value) => value.text === cause.value) ?? key;
      throw new InvalidSelectorError({
        selector: this.#selector,
        position: wrong.position,
        problem: cause.problem,
        cause,
      });
    }
  }

  #peek(): Token {
    return this.#tokens[this.#next] ?? { kind: "end", text: "", position: this.#selector.length };
  }

  #is(kind: TokenKind): boolean {
    return this.#peek().kind === kind;
  }

  #take(): Token {
    const token = this.#peek();
    this.#next += 1;
    return token;
  }

  #expect(kind: TokenKind, expected: string): Token {
    if (!this.#is(kind)) this.#fail(this.#peek(), expected);
    return this.#take();
  }

  #fail(found: Token, expected: string): never {
    const got = found.kind === "end" ? "the end" : JSON.stringify(found.text);
    throw new InvalidSelectorError({
      selector: this.#selector,
      position: found.position,
      problem: `expected ${expected}, got ${got}`,
    });
  }
}

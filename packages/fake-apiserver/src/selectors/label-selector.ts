import { lexLabelSelector, type LabelToken, type LabelTokenKind } from "./label-lexer.ts";
import {
  assertLabelKey,
  createLabelRequirement,
  matchesLabelRequirement,
  type LabelOperator,
  type LabelRequirement,
  type Labels,
} from "./label-requirement.ts";
import { SelectorError } from "../api/errors.ts";

/** A parsed label selector, whose requirements must all match. */
export interface LabelSelector {
  readonly requirements: readonly LabelRequirement[];
  /** True if every object matches. */
  readonly empty: boolean;
  matches(labels: Labels | undefined): boolean;
}

const noLabels: Labels = {};

/**
 * Parses a label selector.
 *
 * @throws {SelectorError} with the message of the server's 400 answer
 */
export function parseLabelSelector(text: string): LabelSelector {
  const requirements = new LabelSelectorParser(lexLabelSelector(text)).parse();
  return {
    requirements,
    empty: requirements.length === 0,
    matches(labels: Labels | undefined): boolean {
      const present = labels ?? noLabels;
      return requirements.every((requirement) => matchesLabelRequirement(requirement, present));
    },
  };
}

const binaryOperators: ReadonlyMap<LabelTokenKind, LabelOperator> = new Map<
  LabelTokenKind,
  LabelOperator
>([
  ["in", "in"],
  ["notin", "notin"],
  ["=", "="],
  ["==", "=="],
  ["!=", "!="],
  [">", "gt"],
  ["<", "lt"],
]);

const endToken: LabelToken = { kind: "end", text: "" };

/** Recursive descent parser. `in` and `notin` are operators only in the place of an operator. */
class LabelSelectorParser {
  readonly #tokens: readonly LabelToken[];
  #position = 0;

  constructor(tokens: readonly LabelToken[]) {
    this.#tokens = tokens;
  }

  parse(): readonly LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    while (this.#peek().kind !== "end") {
      const first = this.#peek();
      if (first.kind !== "identifier" && first.kind !== "!") {
        throw new SelectorError(
          `found '${first.text}', expected: !, identifier, or 'end of string'`,
        );
      }
      requirements.push(this.#parseRequirementInContext());
      const separator = this.#take();
      if (separator.kind === "end") break;
      if (separator.kind !== ",") {
        throw new SelectorError(`found '${separator.text}', expected: ',' or 'end of string'`);
      }
      const next = this.#peek();
      if (next.kind !== "identifier" && next.kind !== "!") {
        throw new SelectorError(`found '${next.text}', expected: identifier after ','`);
      }
    }
    return requirements;
  }

  #parseRequirementInContext(): LabelRequirement {
    try {
      return this.#parseRequirement();
    } catch (error) {
      if (!(error instanceof SelectorError)) throw error;
      throw new SelectorError(`unable to parse requirement: ${error.message}`, { cause: error });
    }
  }

  #parseRequirement(): LabelRequirement {
    const negated = this.#peek().kind === "!";
    if (negated) this.#take();
    const { kind, text: key } = this.#take();
    if (kind !== "identifier") throw new SelectorError(`found '${key}', expected: identifier`);
    assertLabelKey(key);
    if (negated) return createLabelRequirement(key, "!", []);
    const next = this.#peek().kind;
    if (next === "end" || next === ",") return createLabelRequirement(key, "exists", []);
    const operator = this.#takeOperator();
    const isSet = operator === "in" || operator === "notin";
    return createLabelRequirement(key, operator, isSet ? this.#takeSet() : this.#takeValue());
  }

  #takeOperator(): LabelOperator {
    const { kind, text } = this.#takeRaw();
    const operator = binaryOperators.get(kind);
    if (operator !== undefined) return operator;
    throw new SelectorError(`found '${text}', expected: in, notin, =, ==, !=, gt, lt`);
  }

  #takeValue(): readonly string[] {
    const next = this.#peek().kind;
    if (next === "end" || next === ",") return [""];
    const { kind, text } = this.#take();
    if (kind === "identifier") return [text];
    throw new SelectorError(`found '${text}', expected: identifier`);
  }

  /** Reads values in parentheses; nothing between commas is the empty value. */
  #takeSet(): readonly string[] {
    const open = this.#take();
    if (open.kind !== "(") throw new SelectorError(`found '${open.text}' expected: '('`);
    const first = this.#peek();
    if (first.kind === ")") {
      this.#take();
      return [""];
    }
    if (first.kind !== "identifier" && first.kind !== ",") {
      throw new SelectorError(`found '${first.text}', expected: ',', ')' or identifier`);
    }
    const values = this.#takeValues();
    this.#take();
    return values;
  }

  /** Reads values up to the closing parenthesis, which is not consumed. */
  #takeValues(): readonly string[] {
    const values: string[] = [];
    for (;;) {
      const { kind, text } = this.#take();
      if (kind === "identifier") {
        values.push(text);
        const next = this.#peek();
        if (next.kind === ")") return values;
        if (next.kind === ",") continue;
        throw new SelectorError(`found '${next.text}', expected: ',' or ')'`);
      }
      if (kind !== ",") throw new SelectorError(`found '${text}', expected: ',', or identifier`);
      if (values.length === 0) values.push("");
      const next = this.#peek().kind;
      if (next !== ")" && next !== ",") continue;
      values.push("");
      if (next === ")") return values;
    }
  }

  /** The next token as a key, value or separator. */
  #peek(): LabelToken {
    const token = this.#tokens[this.#position] ?? endToken;
    const isWord = token.kind === "in" || token.kind === "notin";
    return isWord ? { kind: "identifier", text: token.text } : token;
  }

  #take(): LabelToken {
    const token = this.#peek();
    this.#position++;
    return token;
  }

  #takeRaw(): LabelToken {
    const token = this.#tokens[this.#position] ?? endToken;
    this.#position++;
    return token;
  }
}

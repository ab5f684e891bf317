import { hideLiterals } from "./literals.ts";

/** A field of a literal of a patch type. */
export interface MessageField {
  readonly name: string;
  /** The place of its colon. */
  readonly at: number;
  /** Whether it has a `?` before it, so that its value is optional. */
  readonly isOptional: boolean;
}

/** A literal of a patch type, such as `Object.spec{replicas: 3}`. */
export interface MessageLiteral {
  /** The name of the function whose call replaces the literal. */
  readonly call: string;
  /** `Object`, `Object.spec` … or `JSONPatch`. */
  readonly type: string;
  readonly fields: readonly MessageField[];
}

/** An expression without message literals. */
export interface PlainSource {
  readonly source: string;
  readonly messages: readonly MessageLiteral[];
}

interface OpenLiteral {
  readonly call: string;
  readonly type: string;
  readonly fields: MessageField[];
  /** Whether the next token is the name of a field. */
  isAtField: boolean;
  /** Whether there was a `?` before that name. */
  isOptional: boolean;
  lastComma: number;
}

const literalStart = /(?:Object(?:\.[A-Za-z_]\w*)*|JSONPatch)\s*\{/y;
const fieldStart = /([A-Za-z_]\w*|`[^`]*`)\s*:/y;

/**
 * Replaces literals of patch types, which the parser does not know, by calls of functions with the
 * values of the fields. No other character moves, so that positions in errors stay right.
 */
export function withoutMessages(expression: string): PlainSource {
  if (!/\b(?:Object|JSONPatch)\b/.test(expression)) return { source: expression, messages: [] };
  return new MessageScanner(expression).run();
}

class MessageScanner {
  /** The expression with the contents of strings hidden. */
  readonly #code: string;
  readonly #characters: string[];
  readonly #messages: MessageLiteral[] = [];
  /** The open brackets; undefined for those that are not literals of messages. */
  readonly #open: (OpenLiteral | undefined)[] = [];

  constructor(expression: string) {
    this.#code = hideLiterals(expression);
    this.#characters = Array.from({ length: expression.length }, (_, at) => expression.charAt(at));
  }

  run(): PlainSource {
    let at = 0;
    while (at < this.#code.length) at = this.#step(at);
    return { source: this.#characters.join(""), messages: this.#messages };
  }

  /** Reads what begins at a position; returns the position after it. */
  #step(at: number): number {
    const current = this.#open.at(-1);
    const character = this.#code.charAt(at);
    if (current?.isAtField === true && character === "?") {
      current.isOptional = true;
      this.#blank(at, at + 1);
      return at + 1;
    }
    if (current?.isAtField === true && /[A-Za-z_`]/.test(character)) {
      const field = matchAt(fieldStart, this.#code, at);
      current.isAtField = false;
      if (field !== undefined) return this.#takeField(current, at, field);
    }
    if (!/[\w.]/.test(this.#code.charAt(at - 1))) {
      const start = matchAt(literalStart, this.#code, at);
      if (start !== undefined) return this.#takeStart(at, start.join(""));
    }
    if ("([{".includes(character)) this.#open.push(undefined);
    else if (")]}".includes(character)) this.#close(at);
    else if (character === "," && current !== undefined) {
      current.isAtField = true;
      current.lastComma = at;
    }
    return at + 1;
  }

  #takeField(literal: OpenLiteral, at: number, [all, name = ""]: readonly string[]): number {
    const end = at + (all?.length ?? 0);
    this.#blank(at, end);
    const { isOptional } = literal;
    literal.fields.push({ name: name.replaceAll("`", ""), at: end - 1, isOptional });
    literal.isOptional = false;
    return end;
  }

  #takeStart(at: number, start: string): number {
    const end = at + start.length;
    const call = `m${this.#messages.length + this.#openCount()}_`;
    this.#blank(at, end);
    for (const [index, character] of Array.from(`${call}(`).entries()) {
      this.#characters[end - call.length - 1 + index] = character;
    }
    const type = start.slice(0, -1).trim();
    const fields: MessageField[] = [];
    this.#open.push({ call, type, fields, isAtField: true, isOptional: false, lastComma: -1 });
    return end;
  }

  #openCount(): number {
    return this.#open.filter((one) => one !== undefined).length;
  }

  #close(at: number): void {
    const literal = this.#open.pop();
    if (literal === undefined) return;
    const { call, fields, isAtField, lastComma, type } = literal;
    this.#characters[at] = ")";
    // A comma may follow the last field of a literal, but not the last argument of a call.
    if (isAtField && lastComma >= 0) this.#characters[lastComma] = " ";
    this.#messages.push({ call, type, fields });
  }

  #blank(from: number, to: number): void {
    for (let at = from; at < to; at++) this.#characters[at] = " ";
  }
}

function matchAt(pattern: RegExp, text: string, at: number): readonly string[] | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

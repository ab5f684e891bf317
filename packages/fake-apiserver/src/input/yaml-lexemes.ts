/** Marks of the library's lexer, which stand for no text: yaml/dist/parse/cst.js. */
const startMark = "\u0002";
const scalarMark = "\u001f";
const marks: ReadonlySet<string> = new Set([startMark, "\u0018", scalarMark]);

/** A fault that Go finds, and the library does not. */
export interface LexemeFault {
  readonly offset: number;
  readonly message: string;
}

/**
 * Compares the lexemes of a document with the rules of Go's scanner, which are stricter for tabs
 * and escapes. A string in quotes with an escape that only Go knows is rewritten.
 */
export class LexemeRules {
  readonly #takesEscapes: boolean;
  #offset = 0;
  #flowLevel = 0;
  // A key or an entry of a list can begin here, so white space is indentation.
  #isIndentation = true;
  #isScalar = false;
  // Whether the next scalar is a block whose first line has its indentation.
  #isBlock = false;

  constructor({ takesEscapes }: { readonly takesEscapes: boolean }) {
    this.#takesEscapes = takesEscapes;
  }

  /** Returns the lexemes in the place of one, and the fault in it. */
  read(lexeme: string): { readonly lexemes: readonly string[]; readonly fault?: LexemeFault } {
    const offset = this.#offset;
    if (!marks.has(lexeme)) this.#offset += lexeme.length;
    const message = this.#faultIn(lexeme);
    const lexemes = this.#isQuoted(lexeme) ? withoutEscapedQuotes(lexeme) : [lexeme];
    this.#note(lexeme);
    return { lexemes, ...(message !== undefined && { fault: { offset, message } }) };
  }

  #faultIn(lexeme: string): string | undefined {
    if (this.#isScalar) {
      // yaml_parser_scan_block_scalar_breaks
      return this.#isBlock && /^(?: *\r?\n)* *\t/.test(lexeme)
        ? "found a tab character where an indentation space is expected"
        : undefined;
    }
    if (this.#isQuoted(lexeme)) return this.#takesEscapes ? undefined : faultInEscapes(lexeme);
    // yaml_parser_scan_to_next_token
    const isTab = this.#isIndentation && this.#flowLevel === 0 && /^[ \t]*\t/.test(lexeme);
    return isTab ? "found character that cannot start any token" : undefined;
  }

  #isQuoted(lexeme: string): boolean {
    return !this.#isScalar && lexeme.startsWith('"');
  }

  #note(lexeme: string): void {
    const isBlank = /^[ \t]+$/.test(lexeme);
    if (this.#isScalar) {
      this.#isBlock = false;
      this.#isIndentation = lexeme.endsWith("\n");
    } else {
      if (lexeme === "{" || lexeme === "[") this.#flowLevel++;
      if (lexeme === "}" || lexeme === "]") this.#flowLevel--;
      if (/^[|>]/.test(lexeme)) this.#isBlock = !/\d/.test(lexeme);
      const begins = lexeme === startMark || /^[-?\n\r]/.test(lexeme);
      if (lexeme !== scalarMark && !isBlank) this.#isIndentation = begins;
    }
    this.#isScalar = lexeme === scalarMark;
  }
}

function faultInEscapes(quoted: string): string | undefined {
  if (!quoted.includes("\\")) return undefined;
  for (const [, escape = "", digits = ""] of quoted.matchAll(/\\(?:u([\dA-Fa-f]{4})|([^]))/g)) {
    if (/^d[89a-f]/i.test(escape)) return "found invalid Unicode character escape code";
    if (digits === "/") return "found unknown escape character";
  }
  return undefined;
}

// As many characters as before, so that offsets behind it stay.
function withoutEscapedQuotes(quoted: string): readonly string[] {
  if (!quoted.includes(String.raw`\'`)) return [quoted];
  const text = quoted.replaceAll(/\\(?:'|([^]))/g, (whole, other) =>
    other === undefined ? "'" : whole,
  );
  return text.length === quoted.length ? [quoted] : [text, " ".repeat(quoted.length - text.length)];
}

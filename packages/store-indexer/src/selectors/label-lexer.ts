/** A token of a label selector. */
export interface Token {
  readonly kind: TokenKind;
  /** Its characters; `""` for the end. */
  readonly text: string;
  /** Index of its first character. */
  readonly position: number;
}

/** Words are keys, values, `in` and `notin`; the parser tells them apart. */
export type TokenKind = "word" | "(" | ")" | "," | "!" | "=" | "==" | "!=" | ">" | "<" | "end";

// Longer operators come first. All characters except these and white space belong to words.
const tokenPattern = /[ \t\r\n]*(?:(==|!=|[=!(),<>])|([^ \t\r\n=!(),<>]+)|$)/y;

/** Splits a label selector into tokens. The last token is the end. */
export function tokenize(selector: string): readonly Token[] {
  const tokens: Token[] = [];
  tokenPattern.lastIndex = 0;
  for (;;) {
    const match = tokenPattern.exec(selector);
    const [, symbol, word] = match ?? [];
    const position = tokenPattern.lastIndex;
    if (symbol !== undefined && isSymbol(symbol)) {
      tokens.push({ kind: symbol, text: symbol, position: position - symbol.length });
    } else if (word !== undefined) {
      tokens.push({ kind: "word", text: word, position: position - word.length });
    } else {
      tokens.push({ kind: "end", text: "", position: selector.length });
      return tokens;
    }
  }
}

function isSymbol(text: string): text is Exclude<TokenKind, "word" | "end"> {
  return /^(?:==|!=|[=!(),<>])$/.test(text);
}

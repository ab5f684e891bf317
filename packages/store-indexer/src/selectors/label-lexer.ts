/** A token of a label selector. */
export interface Token {
  readonly kind: TokenKind;
  /** As it stands in the text; `""` for the end. */
  readonly text: string;
  /** Index in the text where it begins. */
  readonly position: number;
}

/** Words are keys, values, `in` and `notin`; only the parser knows which. */
export type TokenKind = "word" | "(" | ")" | "," | "!" | "=" | "==" | "!=" | ">" | "<" | "end";

// Longer operators first. Everything but whitespace and these characters is part of a word.
const tokenPattern = /[ \t\r\n]*(?:(==|!=|[=!(),<>])|([^ \t\r\n=!(),<>]+)|$)/y;

/** Splits a label selector into tokens; the last one is the end. */
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

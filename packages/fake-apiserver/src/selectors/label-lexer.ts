/**
 * The kinds of tokens of a label selector. `error` is a run of operator characters that means
 * nothing.
 */
export type LabelTokenKind =
  | "identifier"
  | "end"
  | "error"
  | ")"
  | ","
  | "!"
  | "=="
  | "="
  | ">"
  | "<"
  | "!="
  | "("
  | "in"
  | "notin";

/** A token and the text it was read from. */
export interface LabelToken {
  readonly kind: LabelTokenKind;
  readonly text: string;
}

const SYMBOLS: ReadonlyMap<string, LabelTokenKind> = new Map<string, LabelTokenKind>([
  [")", ")"],
  [",", ","],
  ["!", "!"],
  ["==", "=="],
  ["=", "="],
  [">", ">"],
  ["<", "<"],
  ["!=", "!="],
  ["(", "("],
]);
const WORDS: ReadonlyMap<string, LabelTokenKind> = new Map<string, LabelTokenKind>([
  ["in", "in"],
  ["notin", "notin"],
]);
const SPACE = new Set([" ", "\t", "\r", "\n"]);
const SYMBOL_CHARACTERS = new Set(["=", "!", "(", ")", ",", ">", "<"]);
/** The server's lexer reads NUL as the end of its input wherever it stands. */
const NUL = "\0";

/** Splits a label selector into tokens; the last one is always `end`. */
export function lexLabelSelector(text: string): readonly LabelToken[] {
  const tokens: LabelToken[] = [];
  let position = 0;
  while (position < text.length) {
    const character = text.charAt(position);
    if (SPACE.has(character)) {
      position++;
      continue;
    }
    if (character === NUL) break;
    const scan = SYMBOL_CHARACTERS.has(character) ? scanSymbol : scanWord;
    const { token, next } = scan(text, position);
    tokens.push(token);
    position = next;
  }
  tokens.push({ kind: "end", text: "" });
  return tokens;
}

interface Scanned {
  readonly token: LabelToken;
  readonly next: number;
}

/** The longest operator that starts here; a run with no operator at its start is an `error` token. */
function scanSymbol(text: string, start: number): Scanned {
  let found: LabelToken | undefined;
  let end = start;
  while (end < text.length && SYMBOL_CHARACTERS.has(text.charAt(end))) {
    const candidate = text.slice(start, end + 1);
    const kind = SYMBOLS.get(candidate);
    if (kind !== undefined) found = { kind, text: candidate };
    else if (found !== undefined) break;
    end++;
  }
  if (found !== undefined) return { token: found, next: start + found.text.length };
  const run = text.slice(start, end);
  return { token: { kind: "error", text: `error expected: keyword found '${run}'` }, next: end };
}

function scanWord(text: string, start: number): Scanned {
  let end = start;
  while (end < text.length && !endsWord(text.charAt(end))) end++;
  const word = text.slice(start, end);
  // A NUL ends the word and is swallowed with it.
  const next = text.charAt(end) === NUL ? end + 1 : end;
  return { token: { kind: WORDS.get(word) ?? "identifier", text: word }, next };
}

function endsWord(character: string): boolean {
  return character === NUL || SPACE.has(character) || SYMBOL_CHARACTERS.has(character);
}

/** Token kinds of a label selector. `error` is a run of operator characters without a meaning. */
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

/** A token and its source text. */
export interface LabelToken {
  readonly kind: LabelTokenKind;
  readonly text: string;
}

const symbols: ReadonlyMap<string, LabelTokenKind> = new Map<string, LabelTokenKind>([
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
const wordOperators: ReadonlyMap<string, LabelTokenKind> = new Map<string, LabelTokenKind>([
  ["in", "in"],
  ["notin", "notin"],
]);
const spaces = new Set([" ", "\t", "\r", "\n"]);
const symbolCharacters = new Set(["=", "!", "(", ")", ",", ">", "<"]);
/** Ends the input for the server's lexer, wherever it is. */
const nul = "\0";

/** Splits a label selector into tokens; the last is always `end`. */
export function lexLabelSelector(text: string): readonly LabelToken[] {
  const tokens: LabelToken[] = [];
  let position = 0;
  while (position < text.length) {
    const character = text.charAt(position);
    if (spaces.has(character)) {
      position++;
      continue;
    }
    if (character === nul) break;
    const scan = symbolCharacters.has(character) ? scanSymbol : scanWord;
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

/** Scans the longest operator; a run that does not start with one is an `error` token. */
function scanSymbol(text: string, start: number): Scanned {
  let found: LabelToken | undefined;
  let end = start;
  while (end < text.length && symbolCharacters.has(text.charAt(end))) {
    const candidate = text.slice(start, end + 1);
    const kind = symbols.get(candidate);
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
  // A nul ends the word and is skipped.
  const next = text.charAt(end) === nul ? end + 1 : end;
  return { token: { kind: wordOperators.get(word) ?? "identifier", text: word }, next };
}

function endsWord(character: string): boolean {
  return character === nul || spaces.has(character) || symbolCharacters.has(character);
}

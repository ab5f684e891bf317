// Finds positions in JSON text without parsing it. All functions take a position and return another
// one, or -1 if the text ends before it or is not JSON there. They only look at brackets and
// quotes; JSON.parse checks the text between these.
//
// Outside of strings they read character by character, which is only fast in V8 for flat text: pass
// the text of a TextDecoder with positions, not slices or concatenations.

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Returns the position of the next character that is not white space, or the length of the text. */
export function skipSpace(text: string, from: number): number {
  let position = from;
  for (;;) {
    const code = text.charCodeAt(position);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return position;
    position++;
  }
}

/** Returns the position of the last character up to `from` that is not white space, or -1. */
export function skipSpaceBack(text: string, from: number): number {
  let position = from;
  for (;;) {
    const code = text.charCodeAt(position);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return position;
    position--;
  }
}

/**
 * Returns the position after the string whose opening quote is at `from`. The engine's search for
 * the next quote takes half the time of reading character by character.
 */
export function skipString(text: string, from: number): number {
  let position = from;
  for (;;) {
    position = text.indexOf('"', position + 1);
    if (position < 0) return -1;
    let before = position - 1;
    while (text.charCodeAt(before) === backslash) before--;
    // An odd number of backslashes escapes the quote, an even number does not.
    if ((position - before) % 2 === 1) return position + 1;
  }
}

/**
 * Returns the position after the value at `from`. A number or word only ends if a character follows
 * it.
 */
export function skipValue(text: string, from: number): number {
  const first = text.charCodeAt(from);
  if (first === quote) return skipString(text, from);
  if (first !== openBrace && first !== openBracket) return skipWord(text, from);
  let depth = 0;
  const { length } = text;
  for (let position = from; position < length; position++) {
    const code = text.charCodeAt(position);
    if (code === quote) {
      const end = skipString(text, position);
      if (end < 0) return -1;
      position = end - 1;
    } else if (code === openBrace || code === openBracket) depth++;
    else if ((code === closeBrace || code === closeBracket) && --depth === 0) return position + 1;
  }
  return -1;
}

function skipWord(text: string, from: number): number {
  for (let position = from; position < text.length; position++) {
    const code = text.charCodeAt(position);
    if (code === comma || code === closeBrace || code === closeBracket || code <= 0x20) {
      return position;
    }
  }
  return -1;
}

/**
 * Returns the position of the opening quote of the next key, searched from after the `{` or the
 * previous value; -1 if there is none.
 */
export function nextKey(text: string, from: number): number {
  let position = skipSpace(text, from);
  if (text.charCodeAt(position) === comma) position = skipSpace(text, position + 1);
  return text.charCodeAt(position) === quote ? position : -1;
}

/** Returns the position of the value whose key ends before `from`; -1 if it has not arrived. */
export function valueAfterKey(text: string, from: number): number {
  const position = skipSpace(text, from);
  if (text.charCodeAt(position) !== colon) return -1;
  const value = skipSpace(text, position + 1);
  return value < text.length ? value : -1;
}

/**
 * Returns the position of the opening quote of this key in the object at `from`; -1 if there is no
 * such key or no object.
 *
 * @param key with its quotes
 */
export function findKey(text: string, from: number, key: string): number {
  if (text.charCodeAt(from) !== openBrace) return -1;
  // Comparing one character first saves most calls of startsWith.
  const letter = key.charCodeAt(1);
  let position = from + 1;
  for (;;) {
    position = nextKey(text, position);
    if (position < 0) return -1;
    if (text.charCodeAt(position + 1) === letter && text.startsWith(key, position)) return position;
    position = skipString(text, position);
    if (position < 0) return -1;
    position = valueAfterKey(text, position);
    if (position < 0) return -1;
    position = skipValue(text, position);
    if (position < 0) return -1;
  }
}

/** Returns the position of the value of this key in the object at `from`; -1 if there is none. */
export function findValue(text: string, from: number, key: string): number {
  const start = findKey(text, from, key);
  return start < 0 ? -1 : valueAfterKey(text, start + key.length);
}

import { describeError, isRecord } from "@listwatch/core-fifo/base";
import type { ItemOffsets } from "./decode-yaml.ts";
import { scanJson } from "./json-scanner.ts";

/** One of several JSON values, and where it begins. */
export interface JsonValue {
  readonly offset: number;
  readonly value: unknown;
  /** Offsets of the items of lists. */
  readonly items: ItemOffsets;
  /** Why the text from here is not JSON. */
  readonly error?: string | undefined;
}

// A larger value is a dump. A program wrote it, so no key is there twice.
const mostScanned = 1_048_576;

/**
 * Reads JSON values that follow each other: lines, or the printed objects of several commands. A
 * line `---` between them is skipped. Takes a tenth of the time that a reader of YAML takes.
 *
 * @returns undefined if the text does not begin with a JSON object
 */
export function readJsonValues(text: string): readonly JsonValue[] | undefined {
  const values: JsonValue[] = [];
  for (let start = nextValue(text, 0); start < text.length;) {
    const found = readValue(text, start);
    if (found !== undefined && found.error === undefined) {
      values.push(found);
      start = nextValue(text, found.end);
      continue;
    }
    // Documents of YAML may be JSON, too.
    if (values.length === 0 || /^---/m.test(text)) return undefined;
    values.push(found ?? { offset: start, value: null, items: new Map(), error: "Expected JSON" });
    // After a broken value the next one that begins a line is read.
    const broken = text.indexOf("\n{", start);
    start = broken < 0 ? text.length : nextValue(text, broken + 1);
  }
  return values.length === 0 ? undefined : values;
}

function nextValue(text: string, from: number): number {
  const between = /(?:\s|^---[^\S\n]*$)*/gmuy;
  between.lastIndex = from;
  between.test(text);
  return between.lastIndex;
}

function readValue(
  text: string,
  start: number,
): (JsonValue & { readonly end: number }) | undefined {
  if (text[start] !== "{") return undefined;
  const places = new Places(text);
  const end = places.skipObject(start);
  const json = text.slice(start, end);
  const none = new Map<unknown, readonly number[]>();
  const failed = (error: string) => ({ offset: start, end, value: null, items: none, error });
  try {
    const value: unknown = JSON.parse(json);
    const [twice] = json.length > mostScanned ? [] : scanJson(json).duplicates;
    if (twice !== undefined) return failed(`The key ${twice} is already set in its object`);
    return { offset: start, end, value, items: places.itemsOf(value) };
  } catch (error) {
    return failed(`Expected JSON: ${describeError(error)}`);
  }
}

interface Found {
  readonly offset: number;
  readonly items: readonly Found[];
}

/** Finds the end of a value and the items of lists in it, without parsing the rest. */
class Places {
  readonly #text: string;
  #root: Found | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the end of the object at `start`; anything for text that is not JSON. */
  skipObject(start: number): number {
    const { end, found } = this.#object(start);
    this.#root = found;
    return end;
  }

  /** Returns the offsets of the items in the value of that object. */
  itemsOf(value: unknown): ItemOffsets {
    const items = new Map<unknown, readonly number[]>();
    if (this.#root !== undefined) note(value, this.#root, items);
    return items;
  }

  #object(start: number): { readonly end: number; readonly found: Found } {
    const text = this.#text;
    let items: readonly Found[] = [];
    let at = this.#skipSpace(start + 1);
    while (text[at] === '"') {
      const keyEnd = this.#skipString(at);
      const isItems = text.slice(at, keyEnd) === '"items"';
      at = this.#skipSpace(this.#skipSpace(keyEnd) + 1);
      if (isItems && text[at] === "[") {
        const list = this.#items(at);
        items = list.items;
        at = list.end;
      } else {
        at = this.#skipValue(at);
      }
      at = this.#skipSpace(at);
      if (text[at] === ",") at = this.#skipSpace(at + 1);
    }
    return { end: at + 1, found: { offset: start, items } };
  }

  #items(start: number): { readonly end: number; readonly items: readonly Found[] } {
    const items: Found[] = [];
    let at = this.#skipSpace(start + 1);
    while (at < this.#text.length && this.#text[at] !== "]") {
      if (this.#text[at] === "{") {
        const { end, found } = this.#object(at);
        items.push(found);
        at = end;
      } else {
        items.push({ offset: at, items: [] });
        at = this.#skipValue(at);
      }
      at = this.#skipSpace(at);
      if (this.#text[at] === ",") at = this.#skipSpace(at + 1);
      else if (this.#text[at] !== "]") break;
    }
    return { end: at + 1, items };
  }

  #skipSpace(from: number): number {
    let at = from;
    while (/\s/.test(this.#text[at] ?? "")) at++;
    return at;
  }

  #skipString(start: number): number {
    for (let at = start + 1; at < this.#text.length; at++) {
      at = this.#text.indexOf('"', at);
      if (at < 0) break;
      let escapes = 0;
      while (this.#text[at - 1 - escapes] === "\\") escapes++;
      if (escapes % 2 === 0) return at + 1;
    }
    return this.#text.length;
  }

  #skipValue(start: number): number {
    const structure = /["{}[\],]/g;
    structure.lastIndex = start;
    let depth = 0;
    for (;;) {
      const at = structure.exec(this.#text)?.index;
      if (at === undefined) return this.#text.length;
      const character = this.#text[at];
      if (character === '"') structure.lastIndex = this.#skipString(at);
      else if (character === "{" || character === "[") depth++;
      else if (character !== ",") depth--;
      if (depth < 0 || (depth === 0 && character === ",")) return at;
    }
  }
}

function note(value: unknown, found: Found, into: Map<unknown, readonly number[]>): void {
  if (!isRecord(value) || !Array.isArray(value["items"])) return;
  const { items } = value;
  into.set(
    items,
    found.items.map(({ offset }) => offset),
  );
  for (const [index, item] of items.entries()) {
    const place = found.items[index];
    if (place !== undefined && place.items.length > 0) note(item, place, into);
  }
}

import { skipSpace } from "./scan.ts";

/** Length of the examined beginning of an item, in characters. Later text differs from item to item. */
const beginningLength = 400;

/** A shorter marker would occur within items as often as between them. */
const minMarkerLength = 8;

/**
 * Share of the text that may be read in vain, and the amount that may be at first, in characters.
 * Beyond it, brackets are counted, which costs a fifth of parsing.
 */
const wasteShare = 1 / 8;
const firstWaste = 16 * 1024;

/** Searching is this many times faster than parsing. */
const searchGain = 8;

/**
 * The text between two items: `},` and the beginning of an item. It is learned from the items and
 * then searched for, which is faster than counting brackets:
 *
 * ```
 *   {"metadata":{"name":"a"...}},{"metadata":{"name":"b"...
 *                              ^ marker: },{"metadata":{"name":
 * ```
 *
 * The marker is a guess. It cannot occur within a string, where its quotes would be escaped, but it
 * can within an item, and items may begin differently. A caller recognises a wrong guess because
 * the piece does not parse. It then counts brackets and reports the guess, and the marker learns
 * from the next item: the common part of both beginnings, or a longer beginning if the marker was
 * found within an item.
 */
export class ItemMarker {
  #text: string | undefined;
  /** Length of `}` and the separator of items, with which the marker begins. */
  #gap = 2;
  /** Whether the rest of the current text has no marker, so that it is searched only once. */
  #isMissing = false;
  /** Characters that were read in vain. */
  #wasted = 0;
  /** The last wrong guess and its start; -1 for none. */
  #wrongHit = -1;

  /** Call it when a new text begins. */
  beginText(): void {
    this.#isMissing = false;
  }

  /** Returns the position of the `}` that seems to end the item at `start`; -1 if none is found. */
  find(text: string, start: number): number {
    if (this.#text === undefined || this.#isMissing) return -1;
    const hit = text.indexOf(this.#text, start + 1);
    if (hit < 0) this.#isMissing = true;
    return hit;
  }

  /** Returns the position of the item after such a `}`. */
  nextItem(hit: number): number {
    return hit + this.#gap;
  }

  /** Call it if the piece up to this `}` is not an item. */
  refuse(hit: number): void {
    this.#wrongHit = hit;
  }

  /**
   * Call it when an item was found by counting brackets. `offset` is the number of characters of
   * the list before this text.
   */
  learn(text: string, start: number, end: number, offset: number): void {
    const wrongHit = this.#wrongHit;
    this.#wrongHit = -1;
    const isWithin = wrongHit >= 0 && wrongHit < end;
    if (wrongHit >= 0) this.#wasted += isWithin ? wrongHit - start : end - start;
    else if (this.#isMissing) this.#wasted += (text.length - end) / searchGain;
    const next = text.charAt(end) === "," ? skipSpace(text, end + 1) : text.length;
    const isNextKnown = next < text.length;
    if (isNextKnown && !isWithin && this.#precedes(text, end)) return;
    if (this.#wasted > firstWaste + (offset + end) * wasteShare) {
      this.#text = undefined;
      return;
    }
    const begins = isNextKnown ? next : start;
    const beginning = beginningOf(text, begins);
    if (beginning === undefined) return;
    this.#use(isNextKnown ? text.slice(end, next) : ",", beginning, isWithin);
  }

  #precedes(text: string, end: number): boolean {
    return this.#text !== undefined && text.startsWith(this.#text, end - 1);
  }

  #use(separator: string, beginning: string, isWithin: boolean): void {
    const whole = `}${separator}${beginning}`;
    const shared = this.#text === undefined || isWithin ? whole : sharedStart(this.#text, whole);
    this.#gap = 1 + separator.length;
    this.#text = shared.length < this.#gap + minMarkerLength ? whole : shared;
    this.#isMissing = false;
  }
}

/**
 * Returns the beginning of an item up to the first key of its metadata, after which values differ,
 * or up to its first array or object.
 */
function beginningOf(text: string, start: number): string | undefined {
  const beginning = text.slice(start, start + beginningLength);
  const metadata = /^\{[^[\]{}]*?"metadata"\s*:\s*\{\s*"\w+"\s*:/.exec(beginning);
  return metadata?.[0] ?? /^\{\s*"[^[\]{}]*[[{]/.exec(beginning)?.[0];
}

function sharedStart(left: string, right: string): string {
  let length = 0;
  while (length < left.length && left.charCodeAt(length) === right.charCodeAt(length)) length++;
  return left.slice(0, length);
}

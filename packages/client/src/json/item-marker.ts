import { skipSpace } from "./scan.ts";

/** Of the beginning of an item, in characters: what is longer differs from item to item. */
const beginningLength = 400;

/** A shorter marker would be found within items as often as between them. */
const minMarkerLength = 8;

/**
 * Part of the text that may be read in vain, and what may be read so at the beginning, in
 * characters. Above it brackets are counted, which costs a fifth of parsing.
 */
const wasteShare = 1 / 8;
const firstWaste = 16 * 1024;

/** Searching is so many times faster than parsing. */
const searchGain = 8;

/**
 * The text between two items: `},` and how items begin. It is learned from the items themselves and
 * searched for, which is faster than counting brackets:
 *
 * ```
 *   {"metadata":{"name":"a"...}},{"metadata":{"name":"b"...
 *                              ^ marker: },{"metadata":{"name":
 * ```
 *
 * It is a guess. The marker cannot occur within a string, where its quotes would be escaped, but it
 * can within an item, and items need not begin alike. Who uses it sees a wrong guess from a piece
 * that does not parse, counts brackets, and tells the marker, which then learns from the next item:
 * what both beginnings share, or the longer beginning if the marker was found within an item.
 */
export class ItemMarker {
  #text: string | undefined;
  /** Length of `}` and what separates items, which the marker begins with. */
  #gap = 2;
  /** Whether the rest of the present text has no marker, so that it is searched only once. */
  #isMissing = false;
  /** Characters that were read in vain. */
  #wasted = 0;
  /** The last guess that was wrong, and from where: -1 for none. */
  #wrongHit = -1;

  /** Called when another text begins. */
  beginText(): void {
    this.#isMissing = false;
  }

  /** Position of the `}` that seems to end the item at `start`; -1 if none is found. */
  find(text: string, start: number): number {
    if (this.#text === undefined || this.#isMissing) return -1;
    const hit = text.indexOf(this.#text, start + 1);
    if (hit < 0) this.#isMissing = true;
    return hit;
  }

  /** Position of the next item behind such a `}`. */
  nextItem(hit: number): number {
    return hit + this.#gap;
  }

  /** Called when the piece up to this `}` is not an item. */
  refuse(hit: number): void {
    this.#wrongHit = hit;
  }

  /**
   * Called when an item was found by counting brackets, with what was read of the list before this
   * text.
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
 * Beginning of an item up to the first key of its metadata, behind which the values differ, or up
 * to its first array or object.
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

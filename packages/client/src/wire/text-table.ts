import { asciiText, type ByteView } from "./byte-text.ts";

/** Number of places, a power of two. With strings of at most 64 characters the table stays small. */
const places = 4096;

/** Maximum length of a shared string, in bytes. */
export const maxSharedLength = 64;

/** V8 copies a slice of fewer characters. A longer one would keep its whole source in memory. */
const minSliceLength = 13;

/**
 * Strings that are shared instead of created again: names of members, kinds and namespaces, images,
 * "True". Each place has one string, so the table is bounded.
 */
const texts: string[] = Array.from({ length: places }, () => "");

/** Characters of a part of the bytes, one for each byte, to slice short strings from. */
export interface CharacterSource {
  readonly characters: string;
  /** Position in the bytes of the first character. */
  readonly start: number;
  /** Position after the last one. */
  readonly end: number;
}

/**
 * Returns the string of 1 to {@link maxSharedLength} bytes.
 *
 * @returns `undefined` unless all bytes are below 128
 */
export function sharedText(
  bytes: ByteView,
  start: number,
  end: number,
  source: CharacterSource,
): string | undefined {
  const length = end - start;
  const place = placeOf(bytes, start, length);
  const known = texts[place] ?? "";
  if (known.length === length) {
    let index = 0;
    // Strings of the table are ASCII.
    while (index < length && known.charCodeAt(index) === bytes[start + index]) index++;
    if (index === length) return known;
  }
  for (let index = start; index < end; index++) if ((bytes[index] ?? 0) > 127) return undefined;
  const made = shortText(bytes, start, end, source);
  texts[place] = made;
  return made;
}

/** Returns the string of bytes below 128. */
export function shortText(
  bytes: ByteView,
  start: number,
  end: number,
  source: CharacterSource,
): string {
  const isSliced = end - start < minSliceLength && start >= source.start && end <= source.end;
  return isSliced
    ? source.characters.slice(start - source.start, end - source.start)
    : asciiText(bytes, start, end);
}

/** Multiplies by odd numbers, the first of which is 2^32 divided by the golden ratio. */
function placeOf(bytes: ByteView, start: number, length: number): number {
  const first = bytes[start] ?? 0;
  const last = bytes[start + length - 1] ?? 0;
  const middle = bytes[start + (length >> 1)] ?? 0;
  const third = bytes[start + ((length * 3) >> 2)] ?? 0;
  const second = bytes[start + (length >> 2)] ?? 0;
  const hash =
    Math.imul(first | (last << 8) | (middle << 16) | (third << 24), 0x9e3779b1) +
    Math.imul(length, 0x85ebca6b) +
    Math.imul(second, 0xc2b2ae35);
  return (hash ^ (hash >>> 15)) & (places - 1);
}

import { type Random, seededRandom } from "@listwatch/core-fifo/base";

// Five follow a generateName prefix; no vowels, so no words: k8s.io/apimachinery util/rand.
const nameAlphabet = "bcdfghjklmnpqrstvwxz2456789";
const nameSuffixLength = 5;

/**
 * Random numbers for one purpose, so that drawing more of them does not change those for other
 * purposes.
 *
 * @param seed equal seeds and purposes return equal numbers on every runtime
 */
export function seededStream(seed: number | string, purpose: string): Random {
  // FNV-1a: similar seeds (1, 2, 3) get very different hashes.
  let hash = 0x811c9dc5;
  for (const char of `${seed}/${purpose}`) {
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return seededRandom(hash);
}

function uint32(random: Random): number {
  return Math.floor(random() * 2 ** 32);
}

const hexByte: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, "0"),
);

function hex32(value: number): string {
  return `${hexByte[value >>> 24]}${hexByte[(value >>> 16) & 255]}${hexByte[(value >>> 8) & 255]}${hexByte[value & 255]}`;
}

/** Returns a version 4 UUID (RFC 9562 §5.4). */
export function randomUuid(random: Random): string {
  const first = hex32(uint32(random));
  const second = hex32((uint32(random) & 0xffff0fff) | 0x4000);
  const third = hex32((uint32(random) & 0x3fffffff) | 0x80000000);
  const fourth = hex32(uint32(random));
  return `${first}-${second.slice(0, 4)}-${second.slice(4)}-${third.slice(0, 4)}-${third.slice(4)}${fourth}`;
}

/** Returns the five characters that the server appends to `metadata.generateName`. */
export function randomNameSuffix(random: Random): string {
  let suffix = "";
  for (let index = 0; index < nameSuffixLength; index++) {
    suffix += nameAlphabet[Math.floor(random() * nameAlphabet.length)];
  }
  return suffix;
}

/** A source of random numbers; seeded, so that a run can be repeated byte for byte. */
export interface Random {
  /** The next integer in 0 … 2³² − 1. */
  uint32(): number;
}

// 5 of these follow a generateName prefix: k8s.io/apimachinery util/rand, no vowels so that no words appear (api-server §1.11).
const nameAlphabet = "bcdfghjklmnpqrstvwxz2456789";
const nameSuffixLength = 5;
const twoTo32 = 4294967296;

/**
 * Creates the generator sfc32 from a seed. Equal seeds give equal sequences on every runtime. Not
 * for secrets.
 *
 * @param seed any number or text; texts are hashed
 */
export function seededRandom(seed: number | string): Random {
  // FNV-1a over the characters spreads close seeds (1, 2, 3) over the whole state.
  let hash = 0x811c9dc5;
  for (const char of String(seed)) {
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  let [a, b, c, d] = [hash, hash ^ 0x9e3779b9, Math.imul(hash, 0x85ebca6b), 1];
  const uint32 = (): number => {
    const sum = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  // 12 rounds mix the seed: the generator's author, PractRand sfc32.
  for (let round = 0; round < 12; round++) uint32();
  return { uint32 };
}

/** A seed nobody chose, for servers that need not be repeatable. */
export function unpredictableSeed(): string {
  return crypto.randomUUID();
}

/** A float in 0 (inclusive) … 1 (exclusive). */
export function randomFraction(random: Random): number {
  return random.uint32() / twoTo32;
}

const hexByte: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).padStart(2, "0"),
);

function hex32(value: number): string {
  return `${hexByte[value >>> 24]}${hexByte[(value >>> 16) & 255]}${hexByte[(value >>> 8) & 255]}${hexByte[value & 255]}`;
}

/** A version 4 UUID (RFC 9562 §5.4). */
export function randomUuid(random: Random): string {
  const first = hex32(random.uint32());
  const second = hex32((random.uint32() & 0xffff0fff) | 0x4000);
  const third = hex32((random.uint32() & 0x3fffffff) | 0x80000000);
  const fourth = hex32(random.uint32());
  return `${first}-${second.slice(0, 4)}-${second.slice(4)}-${third.slice(0, 4)}-${third.slice(4)}${fourth}`;
}

/** The five characters the server appends to `metadata.generateName`. */
export function randomNameSuffix(random: Random): string {
  let suffix = "";
  for (let index = 0; index < nameSuffixLength; index++)
    suffix += nameAlphabet[random.uint32() % nameAlphabet.length];
  return suffix;
}

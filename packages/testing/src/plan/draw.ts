/**
 * Draws a number in [0, 1) that depends on the seed and the key alone. Draws in another order, or
 * fewer of them, change no other draw: a story that lost a fault goes on as before elsewhere.
 */
export function draw(seed: number, ...key: readonly (number | string)[]): number {
  return mix(hashText(`${seed}/${key.join("/")}`)) / 2 ** 32;
}

/** Draws an integer from `least` to `most`, both included. */
export function drawInteger(
  [least, most]: readonly [number, number],
  seed: number,
  ...key: readonly (number | string)[]
): number {
  return least + Math.floor(draw(seed, ...key) * (most - least + 1));
}

/** Draws one of the values. */
export function drawOne<T>(
  values: readonly T[],
  seed: number,
  ...key: readonly (number | string)[]
): T | undefined {
  return values[Math.floor(draw(seed, ...key) * values.length)];
}

/** FNV-1a with 32 bits, over UTF-16 code units. */
export function hashText(text: string, start = 0x81_1c_9d_c5): number {
  let hash = start;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01_00_01_93);
  }
  return hash >>> 0;
}

/** Spreads similar hashes: the last steps of MurmurHash3. */
function mix(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85_eb_ca_6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2_b2_ae_35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/**
 * Synchronous SHA-256 (FIPS 180-4) for the hashes in discovery documents, since `crypto.subtle` is
 * asynchronous. Not for secrets or long strings.
 */
export function sha256(text: string): Uint8Array {
  const blocks = padded(new TextEncoder().encode(text));
  const state = initialState.slice();
  const schedule = new Uint32Array(64);
  for (let offset = 0; offset < blocks.byteLength; offset += 64) {
    for (let i = 0; i < 16; i++) schedule[i] = blocks.getUint32(offset + i * 4);
    for (let i = 16; i < 64; i++) {
      schedule[i] =
        at(schedule, i - 16) +
        smallSigma(at(schedule, i - 15), 7, 18, 3) +
        at(schedule, i - 7) +
        smallSigma(at(schedule, i - 2), 17, 19, 10);
    }
    mix(state, schedule);
  }
  const digest = new DataView(new ArrayBuffer(32));
  for (const [index, word] of state.entries()) digest.setUint32(index * 4, word);
  return new Uint8Array(digest.buffer);
}

/** Returns the hash as upper-case hexadecimal digits. */
export function sha256Hex(text: string): string {
  return Array.from(sha256(text), (byte) => byte.toString(16).padStart(2, "0"))
    .join("")
    .toUpperCase();
}

/** FIPS 180-4 §5.3.3 and §4.2.2: fractional parts of square and cube roots of the first primes. */
const primes = firstPrimes(64);
const initialState = Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
const roundConstants = Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));

function firstPrimes(amount: number): readonly number[] {
  const found: number[] = [];
  for (let candidate = 2; found.length < amount; candidate++) {
    if (found.every((prime) => candidate % prime !== 0)) found.push(candidate);
  }
  return found;
}

function fraction(value: number): number {
  return Math.floor((value % 1) * 2 ** 32);
}

/** FIPS 180-4 §5.1.1: a one bit, zeros and the length in bits, up to a multiple of 64 bytes. */
function padded(message: Uint8Array): DataView {
  const size = Math.ceil((message.length + 9) / 64) * 64;
  const bytes = new Uint8Array(size);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setBigUint64(size - 8, BigInt(message.length) * 8n);
  return view;
}

/** FIPS 180-4 §6.2.2. */
function mix(state: Uint32Array, schedule: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g);
    const first =
      (h + bigSigma(e, 6, 11, 25) + choice + at(roundConstants, i) + at(schedule, i)) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const second = (bigSigma(a, 2, 13, 22) + majority) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) {
    state[index] = at(state, index) + word;
  }
}

function at(words: Uint32Array, index: number): number {
  return words[index] ?? 0;
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function bigSigma(word: number, first: number, second: number, third: number): number {
  return rotate(word, first) ^ rotate(word, second) ^ rotate(word, third);
}

function smallSigma(word: number, first: number, second: number, shift: number): number {
  return rotate(word, first) ^ rotate(word, second) ^ (word >>> shift);
}

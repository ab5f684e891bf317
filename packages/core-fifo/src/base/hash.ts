/** A 64-bit number as two unsigned halves, which need no BigInt for each object. */
export interface Hash {
  readonly high: number;
  readonly low: number;
}

const utf8 = new TextEncoder();

// Offset and prime of the 64-bit FNV-1a (draft-eastlake-fnv, section 5). The prime is 2⁴⁰ + 0x1b3.
const offset: Hash = { high: 0xcbf29ce4, low: 0x84222325 };
const primeLow = 0x1b3;
const primeShift = 8;
const halfRange = 2 ** 32;

/** Returns the 64-bit FNV-1a hash of a string's UTF-8 bytes. */
export function hashOf(text: string): Hash {
  let { high, low } = offset;
  const mix = (byte: number): void => {
    const mixed = (low ^ byte) >>> 0;
    const product = mixed * primeLow;
    const carry = Math.floor(product / halfRange);
    // The product of the upper halves overflows; what remains of the shift by 40 is one by 8.
    high = (high * primeLow + carry + ((mixed << primeShift) >>> 0)) % halfRange;
    low = product % halfRange;
  };
  for (let index = 0; index < text.length; index++) {
    const code = text.codePointAt(index) ?? 0;
    if (code < 0x80) mix(code);
    else {
      for (const byte of utf8.encode(text.slice(index))) mix(byte);
      break;
    }
  }
  return { high, low };
}

import { joinBytes } from "../base/bytes.ts";

/** A value in DER, the distinguished encoding of ASN.1 (ITU-T X.690). */
export type Der = Uint8Array<ArrayBuffer>;

const utf8 = new TextEncoder();
// Universal tags of ITU-T X.680 that certificates use.
const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectId: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

function encode(tag: number, ...contents: readonly Uint8Array[]): Der {
  const size = contents.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const head = Uint8Array.from([tag, ...lengthOf(size)]);
  return joined([head, ...contents], head.byteLength + size);
}

function joined(parts: readonly Uint8Array[], size: number): Der {
  return new Uint8Array(joinBytes(parts, size));
}

// One byte up to 127; above that the number of bytes comes first.
function lengthOf(size: number): readonly number[] {
  if (size < 0x80) return [size];
  const bytes: number[] = [];
  for (let rest = size; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 + bytes.length, ...bytes];
}

/** Encodes a sequence. */
export function sequence(...values: readonly Uint8Array[]): Der {
  return encode(tags.sequence, ...values);
}

/** Encodes a set. The caller sorts the values if there are several. */
export function set(...values: readonly Uint8Array[]): Der {
  return encode(tags.set, ...values);
}

/** Encodes a boolean. Omit false where it is the default. */
export function boolean(value: boolean): Der {
  return encode(tags.boolean, Uint8Array.of(value ? 0xff : 0));
}

/** Encodes a non-negative integer, given as big-endian bytes. */
export function integer(bytes: Uint8Array | readonly number[]): Der {
  const start = bytes.findIndex((byte) => byte !== 0);
  const digits = start < 0 ? [0] : [...bytes.slice(start)];
  // The highest bit would be the sign.
  if ((digits[0] ?? 0) >= 0x80) digits.unshift(0);
  return encode(tags.integer, Uint8Array.from(digits));
}

/** Encodes bytes as a bit string. */
export function bitString(bytes: Uint8Array, unusedBits = 0): Der {
  return encode(tags.bitString, Uint8Array.of(unusedBits), bytes);
}

/** Encodes bytes as an octet string. */
export function octetString(bytes: Uint8Array): Der {
  return encode(tags.octetString, bytes);
}

/** Encodes an object identifier such as `2.5.4.3`. */
export function objectId(name: string): Der {
  const [first = 0, second = 0, ...rest] = name.split(".").map(Number);
  const bytes: number[] = [];
  // The first two arcs share one number.
  for (const arc of [40 * first + second, ...rest]) {
    const digits = [arc % 128];
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) {
      digits.unshift(0x80 + (left % 128));
    }
    bytes.push(...digits);
  }
  return encode(tags.objectId, Uint8Array.from(bytes));
}

/** Encodes a UTF-8 string. */
export function utf8String(text: string): Der {
  return encode(tags.utf8String, utf8.encode(text));
}

/** Encodes a time in whole seconds, with a two-digit year up to 2049 (RFC 5280 §4.1.2.5). */
export function time(ms: number): Der {
  const text = `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:T]/g, "")}Z`;
  const isNear = text >= "1950" && text < "2050";
  return isNear
    ? encode(tags.utcTime, utf8.encode(text.slice(2)))
    : encode(tags.generalizedTime, utf8.encode(text));
}

/** Encodes values under an explicit context tag. */
export function tagged(number: number, ...values: readonly Uint8Array[]): Der {
  return encode(0xa0 + number, ...values);
}

/** Encodes bytes under an implicit context tag. */
export function implicit(number: number, bytes: Uint8Array): Der {
  return encode(0x80 + number, bytes);
}

import { describe, expect, test } from "vitest";
import {
  bitString,
  boolean,
  implicit,
  integer,
  objectId,
  octetString,
  sequence,
  tagged,
  time,
  utf8String,
} from "../../src/certificates/der.ts";

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

describe("a value in DER", () => {
  test("has a length of one byte up to 127, and of more beyond", () => {
    const lengths = [0, 127, 128, 255, 256, 65_536].map((size) =>
      hex(octetString(new Uint8Array(size))).slice(0, 10),
    );
    expect(lengths.map((text) => text.replace(/(?:00)*$/, ""))).toEqual([
      "04",
      "047f",
      "048180",
      "0481ff",
      "04820100".replace(/(?:00)*$/, ""),
      "04830100".replace(/(?:00)*$/, ""),
    ]);
    expect(sequence(boolean(true), boolean(false))).toEqual(
      Uint8Array.from([0x30, 6, 1, 1, 0xff, 1, 1, 0]),
    );
  });

  test.each([
    [[0], "020100"],
    [[], "020100"],
    [[2], "020102"],
    [[0x7f], "02017f"],
    [[0x80], "02020080"],
    [[0, 0, 1, 0], "02020100"],
  ])("is a number without redundant zeros, and with one for the sign: %j", (bytes, expected) => {
    expect(hex(integer(bytes))).toBe(expected);
  });

  // X.690 §8.19.5, and RFC 5758.
  test.each([
    ["2.999.3", "0603883703"],
    ["2.5.4.3", "0603550403"],
    ["1.2.840.10045.4.3.2", "06082a8648ce3d040302"],
  ])("is an object identifier: %s", (name, expected) => {
    expect(hex(objectId(name))).toBe(expected);
  });

  test("is a time, with four-digit years from 2050 on", () => {
    const text = (ms: number): string => new TextDecoder().decode(time(ms).subarray(2));
    expect([time(0)[0], text(Date.UTC(2026, 0, 2, 3, 4, 5, 678))]).toEqual([0x17, "260102030405Z"]);
    expect([time(Date.UTC(2050, 0))[0], text(Date.UTC(2050, 0))]).toEqual([
      0x18,
      "20500101000000Z",
    ]);
  });

  test("is a string, bits, or a tagged value", () => {
    expect(hex(utf8String("ü"))).toBe("0c02c3bc");
    expect(hex(bitString(Uint8Array.of(0x84), 2))).toBe("03020284");
    expect(hex(tagged(3, boolean(true)))).toBe("a3030101ff");
    expect(hex(implicit(2, Uint8Array.of(97)))).toBe("820161");
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  checkAddress,
  checkRange,
  checkReachable,
  isWithin,
  parseAddress,
  parseRange,
} from "../../src/validation/addresses.ts";

describe("addresses (VAL-12, VAL-16)", () => {
  test.each([
    ["0.0.0.0", 0n],
    ["10.0.0.1", 0x0a000001n],
    ["::", 0n],
    ["::1", 1n],
    ["2001:db8::ffff", (0x20010db8n << 96n) | 0xffffn],
    ["1:2:3:4:5:6:7:8", 0x0001_0002_0003_0004_0005_0006_0007_0008n],
    ["::ffff:10.0.0.1", 0xffff_0a00_0001n],
  ])("%s is valid", (text, value) => {
    expect(parseAddress(text)?.value).toBe(value);
  });

  test.each(["", "1.2.3", "1.2.3.4.5", "256.0.0.1", "a.b.c.d", ":", "1::2::3", "1:2:3", "g::"])(
    "%j is invalid",
    (text) => {
      expect(checkAddress("spec.ip", text)).toEqual([
        {
          reason: "FieldValueInvalid",
          field: "spec.ip",
          message: `Invalid value: ${JSON.stringify(text)}: must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)`,
        },
      ]);
    },
  );

  test("every IPv4 address is parsed to its number", () => {
    const octet = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(fc.tuple(octet, octet, octet, octet), (parts) => {
        const value = parts.reduce((sum, part) => sum * 256 + part, 0);
        expect(parseAddress(parts.join("."))).toEqual({
          family: "IPv4",
          bits: 32,
          value: BigInt(value),
        });
      }),
    );
  });
});

describe("ranges of addresses", () => {
  test("have a prefix valid for their family", () => {
    const problem = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";
    expect(["10.0.0.0/32", "::/128"].flatMap((text) => checkRange("x", text))).toEqual([]);
    for (const text of ["10.0.0.0", "10.0.0.0/33", "::/129", "x/8", "10.0.0.0/"]) {
      expect(checkRange("x", text)[0]?.message).toContain(problem);
    }
  });

  test.each([
    ["10.0.1.0/24", "10.0.0.0/16", true],
    ["10.0.0.0/16", "10.0.1.0/24", false],
    ["10.1.0.0/24", "10.0.0.0/16", false],
    ["::/8", "0.0.0.0/0", false],
    ["2001:db8:1::/48", "2001:db8::/32", true],
  ])("%s within %s: %j", (inner, outer, expected) => {
    expect(isWithin(parseRange(inner)!, parseRange(outer)!)).toBe(expected);
  });

  test.each([
    ["0.0.0.0", "may not be unspecified (0.0.0.0)"],
    ["127.9.9.9", "may not be in the loopback range (127.0.0.0/8, ::1/128)"],
    ["fe80::1", "may not be in the link-local range (169.254.0.0/16, fe80::/10)"],
    ["224.0.0.9", "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)"],
  ])("%s is not reachable from elsewhere", (text, problem) => {
    expect(checkReachable("x", text).map(({ message }) => message)).toEqual([
      `Invalid value: "${text}": ${problem}`,
    ]);
    expect(checkReachable("x", "10.0.0.1")).toEqual([]);
  });
});

import { describe, expect, test } from "vitest";
import * as fc from "fast-check";
import { compareResourceVersions, ResourceVersionError } from "@listwatch/core-fifo";

describe("compareResourceVersions", () => {
  test("orders numbers of any length as BigInt does (UTL-1)", () => {
    const version = fc.bigInt({ min: 1n, max: 10n ** 60n });
    fc.assert(
      fc.property(version, version, (a, b) => {
        const expected = a < b ? -1 : Number(a > b);
        expect(compareResourceVersions(String(a), String(b))).toBe(expected);
      }),
    );
  });

  test.each(["", "0", "01", "-1", "+1", " 1", "1 ", "1\n", "0x1", "1e3", "١", "abc"])(
    "throws for %j on either side",
    (text) => {
      expect(() => compareResourceVersions(text, "1")).toThrow(ResourceVersionError);
      expect(() => compareResourceVersions("1", text)).toThrow(
        expect.objectContaining({ code: "LW_RESOURCE_VERSION", resourceVersion: text }),
      );
    },
  );
});

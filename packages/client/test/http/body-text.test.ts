import { describe, expect, test } from "vitest";
import { bodyText } from "../../src/http/body-text.ts";
import { growth, mostOfLinear } from "../support/growth.ts";

function nested(depth: number): object {
  let object: object = { at: null };
  for (let level = 0; level < depth; level++) object = { inner: object, level };
  return object;
}

const range = (size: number): number[] => Array.from({ length: size }, (_, index) => index);

/** Bodies of any size that contain null, so that their numbers are checked. */
const bodies: Readonly<Record<string, (size: number) => object>> = {
  "a deep body": (size) => nested(size),
  "an array of numbers": (size) => ({ at: null, list: range(size * 10) }),
  "a deep body with a BigInt": (size) => ({ at: 1n, ...nested(size) }),
};

describe("the text of a body", () => {
  test.each(Object.entries(bodies))("is made in linear time: %s", async (_, bodyOf) => {
    const ratio = await growth(100, (size) => {
      const body = bodyOf(size);
      return () => bodyText(body, "Cannot write");
    });
    expect(ratio).toBeLessThan(mostOfLinear);
  });

  test("names the place of a number that JSON would change", () => {
    const body = { at: null, list: [{ a: 1, b: [0, Number.NaN] }] };
    expect(() => bodyText(body, "Cannot write")).toThrow(/got NaN at list\.0\.b\.1, which/);
  });

  test("is what JSON.stringify writes, with null, dates and members that JSON omits", () => {
    const at = new Date(0);
    const body = { at, none: null, left: undefined, list: [undefined, null, at], call: () => 1 };
    expect(bodyText(body, "Cannot write")).toBe(JSON.stringify(body));
    const text = bodyText({ ...body, n: 1n }, "Cannot write");
    expect(text).toBe(JSON.stringify({ ...body, n: 1 }));
  });
});

import { describe, expect, test } from "vitest";
import { remembered } from "../../src/base/remembered.ts";

function counted(): { lengthOf: (text: string) => number | undefined; computed: string[] } {
  const computed: string[] = [];
  const lengthOf = remembered((text) => {
    computed.push(text);
    return text === "" ? undefined : text.length;
  });
  return { lengthOf, computed };
}

describe("remembered", () => {
  test("computes the result for a string once", () => {
    const { computed, lengthOf } = counted();
    expect([lengthOf("a"), lengthOf("bb"), lengthOf("a"), lengthOf("bb")]).toEqual([1, 2, 1, 2]);
    expect(computed).toEqual(["a", "bb"]);
  });

  test("computes `undefined` again", () => {
    const { computed, lengthOf } = counted();
    expect([lengthOf(""), lengthOf("")]).toEqual([undefined, undefined]);
    expect(computed).toEqual(["", ""]);
  });

  test("does not keep a long string", () => {
    const { computed, lengthOf } = counted();
    const [kept, long] = ["k".repeat(64), "l".repeat(65)];
    for (const text of [kept, long, kept, long]) expect(lengthOf(text)).toBe(text.length);
    expect(computed).toEqual([kept, long, long]);
  });

  test("drops all results when there are too many", () => {
    const { computed, lengthOf } = counted();
    for (let index = 0; index <= 4096; index++) lengthOf(`text ${index}`);
    lengthOf("text 4096");
    expect(computed).toHaveLength(4097);
    lengthOf("text 0");
    expect(computed).toHaveLength(4098);
  });
});

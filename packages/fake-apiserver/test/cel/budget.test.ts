import { describe, expect, test } from "vitest";
import { withBudget } from "../../src/cel/budget.ts";
import { CelFailure } from "../../src/cel/failures.ts";
import { listFunctions } from "../../src/cel/lists.ts";
import {
  compareValues,
  isEqual,
  joinLists,
  type ListTraits,
  ObjectValue,
  withTraits,
} from "../../src/cel/values.ts";

const count = (length: number): readonly number[] => Array.from({ length }, (_, index) => index);

const set: ListTraits = { kind: "set", keys: [], zero: 0n };
const byName: ListTraits = { kind: "map", keys: ["name"], zero: 0n };
const named = (name: number): unknown => new Map([["name", `n${name}`]]);

describe("work inside of values is counted (CEL-16)", () => {
  test.each([
    ["of strings", set, String],
    ["of numbers", set, BigInt],
    ["with keys", byName, named],
  ])("a list %s is compared and joined in linear time", (_name, traits, create) => {
    const [left, right] = [1, -1].map((sign) =>
      withTraits(
        count(4000).map((index) => create(sign * index)),
        traits,
      ),
    );
    const other = left?.toReversed() ?? [];
    const compared = withBudget(() => isEqual(left, other));
    expect(compared).toMatchObject({ value: true });
    const joined = withBudget(() => joinLists(left ?? [], right ?? []).length);
    expect(joined).toMatchObject({ value: 7999 });
    expect(compared.cost + joined.cost).toBeLessThan(10_000);
  });

  test.each([
    ["sets of lists", () => isEqual(listsIn(set), listsIn(set))],
    ["nested lists", () => isEqual([[[count(20_000)]]], [[[count(20_000)]]])],
    ["texts in lists", () => isEqual(["a".repeat(2e7)], ["a".repeat(2e7)])],
    ["the order of texts", () => compareValues("a".repeat(2e7), "a".repeat(2e7))],
    ["fields without a schema", () => isEqual(unknownFields(), unknownFields())],
  ])("%s count by their size", (_name, compare) => {
    const { cost } = withBudget(compare);
    expect(cost).toBeGreaterThan(1000);
  });

  test("a macro lists the keys and items of a value once", () => {
    const { entries, range } = listFunctions;
    for (const value of [count(3), new Map([["a", 1]])]) {
      expect(entries?.(value)).toBe(entries?.(value));
      expect(range?.(value)).toBe(range?.(value));
    }
  });

  test("a field that cannot be converted is read once", () => {
    let reads = 0;
    const value = new ObjectValue(["a"], () => {
      reads++;
      throw new CelFailure("malformed");
    });
    for (const _ of count(3)) expect(() => value.get("a")).toThrow("malformed");
    expect(reads).toBe(1);
  });
});

function listsIn(traits: ListTraits): readonly unknown[] {
  return withTraits(
    count(400).map((index) => [BigInt(index)]),
    traits,
  );
}

function unknownFields(): ObjectValue {
  return new ObjectValue([], () => undefined, { some: { list: count(20_000) } });
}

import { afterAll, describe, expect, test } from "vitest";
import { readCases } from "../known-cases.ts";
import { search } from "../search.ts";
import { fuzzTarget } from "../target.ts";
import { targets } from "../targets/index.ts";
import * as fc from "fast-check";

// The slowest target takes a second per input on a runtime whose WebAssembly starts slowly.
const fewInputs = 15;

describe.each(targets)("$name", (target) => {
  afterAll(() => target.close?.());

  test("shows no fault with a few fixed inputs", async () => {
    const { inputs, found } = await search(target, 1, () => true, fewInputs);
    expect(found).toBeUndefined();
    expect(inputs).toBeGreaterThan(0);
  });

  test("shows no fault with known inputs", async () => {
    for (const [file, { input, open }] of await readCases(target.name)) {
      const outcome = await attempt(() => target.check(input));
      // The error is part of the comparison, so that a failure shows it.
      const expected: unknown = open === undefined ? undefined : outcome;
      const isAsSaid = (outcome === undefined) === (open === undefined);
      expect([file, isAsSaid, outcome]).toEqual([file, true, expected]);
    }
  });
});

test("a search finds a fault and minimizes its input", async () => {
  const target = fuzzTarget({
    name: "numbers",
    inputs: fc.array(fc.nat(1000)),
    check: (numbers) => {
      if (numbers.some((number) => number > 500)) throw new Error("too large");
    },
  });
  let rounds = 0;
  const { found } = await search(target, 7, () => ++rounds > 20);
  expect(found).toMatchObject({ input: [501], error: new Error("too large") });
});

async function attempt(check: () => void | Promise<void>): Promise<unknown> {
  try {
    await check();
    return undefined;
  } catch (error) {
    return error;
  }
}

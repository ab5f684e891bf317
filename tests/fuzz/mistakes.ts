import * as fc from "fast-check";
import { anyJson } from "./anything.ts";

/** Replaces one value of a JSON value. */
export interface Mistake {
  /** Indexes of the members on the path, modulo their number. */
  readonly way: readonly number[];
  readonly value: unknown;
}

const wrong = fc.oneof(
  fc.constantFrom<unknown>(null, 0, -1, 1e21, true, "", "x", "-1", [], {}, [null], [[]], { a: 1 }),
  anyJson,
);

/** Wrong values at any position. */
export const mistake: fc.Arbitrary<Mistake> = fc.record({
  way: fc.array(fc.nat(6), { maxLength: 4 }),
  value: wrong,
});

/** Applies a mistake to a JSON value. */
export function change(value: unknown, { way, value: other }: Mistake): unknown {
  const [step, ...rest] = way;
  if (step === undefined || typeof value !== "object" || value === null) return other;
  const entries = Object.entries(value);
  const entry = entries[step % Math.max(1, entries.length)];
  if (entry === undefined) return other;
  const [key, member] = entry;
  const changed: unknown = change(member, { way: rest, value: other });
  return Array.isArray(value)
    ? value.with(Number(key), changed)
    : Object.assign({}, value, { [key]: changed });
}

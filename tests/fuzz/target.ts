import type * as fc from "fast-check";

/** Something that inputs of one kind are tried on. */
export interface FuzzTarget<Input = never> {
  readonly name: string;
  /** What is searched for faults; plain JSON, so that a found input can be kept as a file. */
  readonly inputs: fc.Arbitrary<Input>;
  /** Throws, or rejects, if the input shows a fault. */
  readonly check: (input: Input) => void | Promise<void>;
  /** Called when the search is over: ends what the checks keep between inputs. */
  readonly close?: () => Promise<void>;
}

/** A target whose type of input is its own business. */
export type AnyTarget = FuzzTarget<unknown>;

/** Makes a target; the compiler checks that it is tried on its own inputs. */
export function fuzzTarget<Input>(target: FuzzTarget<Input>): AnyTarget {
  return {
    ...target,
    // Inputs come from the arbitrary, or from a file that was written with one of them.
    check: (input) => target.check(input as Input),
  };
}

/** Fails with the difference, as texts, unless two JSON values are written alike. */
export function checkSame(actual: unknown, expected: unknown, what: string): void {
  const got = write(actual);
  const wanted = write(expected);
  if (got !== wanted) throw new Error(`${what}: expected ${wanted}, got ${got}`);
}

/** A value as text, the members of objects in one order. */
function write(value: unknown): string {
  const sorted = (_: string, member: unknown): unknown =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member;
  return JSON.stringify(value, sorted) ?? "undefined";
}

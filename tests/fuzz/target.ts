import type * as fc from "fast-check";

/** A function under test with its inputs. */
export interface FuzzTarget<Input = never> {
  readonly name: string;
  /** Inputs to search. They are plain JSON, so that a found one can be saved. */
  readonly inputs: fc.Arbitrary<Input>;
  readonly check: (input: Input) => void | Promise<void>;
  /** Called at the end of the search, to release resources kept between inputs. */
  readonly close?: () => Promise<void>;
}

/** A target with an unknown input type. */
export type AnyTarget = FuzzTarget<unknown>;

/** Makes a target, with inputs that the compiler checks. */
export function fuzzTarget<Input>(target: FuzzTarget<Input>): AnyTarget {
  return {
    ...target,
    // Inputs come from the arbitrary, or from a file written with one of them.
    check: (input) => target.check(input as Input),
  };
}

/** Throws with the difference unless two JSON values are equal. */
export function checkSame(actual: unknown, expected: unknown, what: string): void {
  const got = write(actual);
  const wanted = write(expected);
  if (got !== wanted) throw new Error(`${what}: expected ${wanted}, got ${got}`);
}

/** Serializes a value with sorted members. */
function write(value: unknown): string {
  const sorted = (_: string, member: unknown): unknown =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member;
  return JSON.stringify(value, sorted) ?? "undefined";
}

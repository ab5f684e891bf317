import type { Cached } from "@listwatch/core-fifo";
import { checkSynchronous, metadataOf } from "@listwatch/core-fifo/base";
import { holds, type Condition } from "./conditions.ts";

/**
 * Selects changes of objects. `Predicate` of `@listwatch/controller` is one. A missing member
 * selects all changes of its kind.
 */
export interface ChangeFilter<T> {
  /** Returns whether to select an object that appeared. */
  add?(object: Cached<T>): boolean;
  /** Returns whether to select a change from `old` to `object`. */
  update?(old: Cached<T>, object: Cached<T>): boolean;
  /** The argument is a `Deleted` of `@listwatch/shared-informer`, which is above this package. */
  delete?(
    deleted:
      | {
          /** Always false: the watch reported the deletion. */
          readonly stale: false;
          /** Key of the deleted object. */
          readonly key: string;
          /** State that the server deleted. */
          readonly object: Cached<T>;
        }
      | {
          /** Always true: the watch missed the deletion. */
          readonly stale: true;
          /** Key of the deleted object. */
          readonly key: string;
          /** Last known state; the deleted one may be newer. `undefined` if none is known. */
          readonly object?: Cached<T> | undefined;
        },
  ): boolean;
}

type Tests<T> = readonly ChangeFilter<T>[] | readonly Condition<T>[];

/** Lets through what all of the predicates let through. */
export function allOf<T>(
  ...predicates: readonly ChangeFilter<NoInfer<T>>[]
): Required<ChangeFilter<T>>;
/** Holds if all of the conditions hold; a wait fails as soon as it would for one of them. */
export function allOf<T>(...conditions: readonly Condition<NoInfer<T>>[]): Condition<T>;
/** Holds if all of the conditions hold; a wait fails as soon as it would for one of them. */
export function allOf<T>(...conditions: readonly Condition<T>[]): Condition<T>;
export function allOf<T>(...tests: Tests<T>): ChangeFilter<T> | Condition<T> {
  if (areFilters(tests)) return combine(tests, (all, passes) => all.every(passes));
  return combineConditions(
    tests,
    "and",
    (object) => tests.every((condition) => holds(condition, object)),
    (reasons) => reasons.find((reason) => reason !== undefined),
  );
}

/** Lets through what at least one of the predicates lets through. */
export function anyOf<T>(
  ...predicates: readonly ChangeFilter<NoInfer<T>>[]
): Required<ChangeFilter<T>>;
/** Holds if at least one of the conditions holds; a wait fails when it would for each of them. */
export function anyOf<T>(...conditions: readonly Condition<NoInfer<T>>[]): Condition<T>;
/** Holds if at least one of the conditions holds; a wait fails when it would for each of them. */
export function anyOf<T>(...conditions: readonly Condition<T>[]): Condition<T>;
export function anyOf<T>(...tests: Tests<T>): ChangeFilter<T> | Condition<T> {
  if (areFilters(tests)) return combine(tests, (all, passes) => all.some(passes));
  return combineConditions(
    tests,
    "or",
    (object) => tests.some((condition) => holds(condition, object)),
    (reasons) => (reasons.includes(undefined) ? undefined : reasons.join(", and ")),
  );
}

/**
 * Lets through what the predicate does not (controller-runtime `predicate.Not`): a member that it
 * lacks lets nothing through. An update to another object of the name passes in any case, and so
 * does a deletion whose last state is unknown.
 */
export function not<T>(predicate: ChangeFilter<NoInfer<T>>): Required<ChangeFilter<T>>;
/** Holds if the condition does not hold, also for a missing object. */
export function not<T>(condition: Condition<T>): Condition<T>;
export function not<T>(test: ChangeFilter<T> | Condition<T>): ChangeFilter<T> | Condition<T> {
  if (typeof test === "function") {
    const condition = (object: T | undefined): boolean => !holds(test, object);
    return Object.assign(condition, { description: `not ${wordsOf(test)}` });
  }
  return {
    add: (object) => !isLetThrough(test.add?.(object)),
    update: (old, object) => isReplaced(old, object) || !isLetThrough(test.update?.(old, object)),
    delete: (deleted) => deleted.object === undefined || !isLetThrough(test.delete?.(deleted)),
  };
}

/** Whether an update leads to another object of the name, created while no watch was open. */
function isReplaced(old: unknown, object: unknown): boolean {
  return metadataOf(old)?.uid !== metadataOf(object)?.uid;
}

function areFilters<T>(tests: Tests<T>): tests is readonly ChangeFilter<T>[] {
  return typeof tests[0] !== "function";
}

function combine<T>(
  filters: readonly ChangeFilter<T>[],
  choose: (
    filters: readonly ChangeFilter<T>[],
    passes: (filter: ChangeFilter<T>) => boolean,
  ) => boolean,
): Required<ChangeFilter<T>> {
  return {
    add: (object) => choose(filters, (filter) => isLetThrough(filter.add?.(object))),
    update: (old, object) =>
      choose(filters, (filter) => isLetThrough(filter.update?.(old, object))),
    delete: (deleted) => choose(filters, (filter) => isLetThrough(filter.delete?.(deleted))),
  };
}

function combineConditions<T>(
  conditions: readonly Condition<T>[],
  word: "and" | "or",
  condition: (object: T | undefined) => boolean,
  choose: (reasons: readonly (string | undefined)[]) => string | undefined,
): Condition<T> {
  return Object.assign(condition, {
    description: conditions.map(wordsOf).join(` ${word} `),
    // A member that holds has no reason to fail.
    failure: (object: T | undefined) =>
      choose(conditions.map((one) => (holds(one, object) ? undefined : one.failure?.(object)))),
  });
}

function wordsOf({ description = "as a condition wants it" }: Condition<never>): string {
  return description;
}

/** @throws {TypeError} if the predicate returned a promise, which would let every change through */
function isLetThrough(answer: boolean | undefined): boolean {
  if (typeof answer !== "boolean") checkSynchronous(answer, "true or false");
  return answer ?? true;
}

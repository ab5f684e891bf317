import { aSignal } from "./abort.ts";
import { createInvalidOptionError, InvalidOptionsError } from "./errors.ts";

/** Returns what a value should have been, or `undefined` if it can be used. */
export type OptionCheck = (value: unknown) => string | undefined;

/** Check of one option. A table is a group of options, a pair a value of another kind or a group. */
export type OptionRule = OptionCheck | OptionTable | readonly [OptionCheck, OptionTable];

/** Checks of the options of a class or function, by name. */
export interface OptionTable {
  readonly [name: string]: OptionRule;
}

/** A table with a check for each option of `O`, so that none can be forgotten. */
export type OptionsOf<O> = { readonly [Name in keyof O]-?: OptionRule };

// Functions that create checks are marked as free of side effects, so that bundlers leave out the
// tables of classes that a program does not use.

/** For options that are checked by the code that uses them. */
export const anything: OptionCheck = () => undefined;
export const aString: OptionCheck = (value) => (typeof value === "string" ? undefined : "a string");
export const aBoolean: OptionCheck = (value) =>
  typeof value === "boolean" ? undefined : "true or false";
export const aFunction: OptionCheck = (value) =>
  typeof value === "function" ? undefined : "a function";
export const anObject: OptionCheck = (value) => (isObject(value) ? undefined : "an object");
export const anIterable: OptionCheck = (value) =>
  isObject(value) && hasFunction(value, Symbol.iterator) ? undefined : "an iterable object";
/* @__NO_SIDE_EFFECTS__ */
export const anArrayOf =
  (check: OptionCheck, expected: string): OptionCheck =>
  (value) =>
    Array.isArray(value) && value.every((each) => check(each) === undefined) ? undefined : expected;
export const someStrings: OptionCheck = /* @__PURE__ */ anArrayOf(aString, "an array of strings");

/** A number of at least `least`, or any. Infinity is a number, NaN is not. */
/* @__NO_SIDE_EFFECTS__ */
export const aNumber =
  (least: number = -Infinity): OptionCheck =>
  (value) => {
    if (typeof value === "number" && value >= least) return undefined;
    return least === -Infinity ? "a number" : `a number of ${least} or more`;
  };

/* @__NO_SIDE_EFFECTS__ */
export const anInteger =
  (least: number): OptionCheck =>
  (value) =>
    Number.isSafeInteger(value) && Number(value) >= least
      ? undefined
      : `an integer of ${least} or more`;

/* @__NO_SIDE_EFFECTS__ */
export const oneOf =
  (...words: readonly string[]): OptionCheck =>
  (value) =>
    words.some((word) => word === value) ? undefined : `one of ${words.join(", ")}`;

/** An object of the program, which has these functions and may have any other members. */
/* @__NO_SIDE_EFFECTS__ */
export const having =
  (...names: readonly string[]): OptionCheck =>
  (value) => {
    if (
      (isObject(value) || typeof value === "function") &&
      names.every((name) => hasFunction(value, name))
    ) {
      return undefined;
    }
    const listed = [names.slice(0, -1).join(", "), ...names.slice(-1)].filter(Boolean);
    return `an object with the functions ${listed.join(" and ")}`;
  };

export const aClock: OptionCheck = /* @__PURE__ */ having("now", "setTimeout", "nextTurn");
export const aLog: OptionCheck = /* @__PURE__ */ having("debug", "info", "warn", "error");
export const aTraceSink: OptionCheck = /* @__PURE__ */ having("span");
export const aMetricsSink: OptionCheck = /* @__PURE__ */ having("counter", "gauge", "histogram");
const waitTable: OptionTable = { signal: aSignal };

/** Returns the signal in the options of a wait that has no other option. */
export function signalIn(
  options: { readonly signal?: AbortSignal | undefined } | undefined,
): AbortSignal | undefined {
  if (options !== undefined && !hasOnlySignal(options)) checkOptions(options, waitTable);
  return options?.signal;
}

/** Whether the options are clearly valid. Each pop asks, and a table takes six times as long. */
function hasOnlySignal(options: unknown): boolean {
  if (!isObject(options)) return false;
  for (const name in options) if (name !== "signal") return false;
  return Reflect.get(options, "signal") instanceof AbortSignal;
}

/**
 * Checks the argument with the options of a class or function: all names are known, no value is of
 * another kind, and none is missing. Absent options are `undefined`. Options may be inherited.
 *
 * @param required names of options that must be given, `lease.name` for one in a group
 * @param group begins the names in an error, such as `limits.`
 * @throws {InvalidOptionsError} otherwise; for an unknown name it tells the nearest one
 */
export function checkOptions(
  options: unknown,
  table: OptionTable,
  required: readonly string[] = [],
  group = "",
): void {
  if (!isObject(options) || Array.isArray(options) || options instanceof AbortSignal) {
    const expected = `an object with options such as ${Object.keys(table).join(", ")}`;
    throw createInvalidOptionError(group.slice(0, -1) || "options", expected, options);
  }
  // Includes inherited names, for options whose prototype are defaults.
  for (const name in options) {
    if (name in table) continue;
    const value: unknown = Reflect.get(options, name);
    // An inherited function is a method of a class, no option.
    const isMethod = typeof value === "function" && !Object.hasOwn(options, name);
    if (value !== undefined && !isMethod) throw createUnknownOptionError(name, table, group);
  }
  for (const [name, check] of Object.entries(table)) {
    const value: unknown = Reflect.get(options, name);
    if (value === undefined && !required.includes(group + name)) continue;
    checkOption(group + name, value, check, required);
  }
}

/** @throws {InvalidOptionsError} if a value cannot be used */
export function checkOption(
  option: string,
  value: unknown,
  rule: OptionRule,
  required?: readonly string[],
): void {
  const [check, table] = partsOf(rule);
  const expected = check(value);
  if (expected === undefined) return;
  if (table === undefined) throw createInvalidOptionError(option, expected, value);
  checkOptions(value, table, required, `${option}.`);
}

/** The check of a value, and the table of the group that may be in its place. */
function partsOf(rule: OptionRule): readonly [OptionCheck, OptionTable?] {
  if (typeof rule === "function") return [rule];
  return isPair(rule) ? rule : [() => "a group", rule];
}

function isPair(rule: OptionRule): rule is readonly [OptionCheck, OptionTable] {
  return Array.isArray(rule);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function hasFunction(value: object, name: string | symbol): boolean {
  return typeof Reflect.get(value, name) === "function";
}

function createUnknownOptionError(
  name: string,
  table: OptionTable,
  group: string,
): InvalidOptionsError {
  // A known option may be in another place: `resyncMs` instead of `watch.resyncMs`.
  const known = Object.entries(table).flatMap(([each, rule]) =>
    [each].concat(Object.keys(partsOf(rule)[1] ?? {}).map((inner) => `${each}.${inner}`)),
  );
  const nearest = nearestName(name, known, (each) => each.slice(each.indexOf(".") + 1));
  return new InvalidOptionsError(
    `Cannot use the option ${group}${name}: expected ${nearest === undefined ? `one of ${known.join(", ")}` : `a known option, did you mean ${group}${nearest}?`}`,
    group + name,
  );
}

/** Returns the one whose name differs least; `undefined` if more than half of the letters differ. */
export function nearestName(
  name: string,
  known: readonly string[],
  nameOf = (each: string): string => each,
): string | undefined {
  const [nearest] = known
    .map((each) => ({ each, distance: distanceOf(name, nameOf(each)) }))
    .toSorted((a, b) => a.distance - b.distance);
  return nearest !== undefined && nearest.distance * 2 <= name.length ? nearest.each : undefined;
}

/** Number of characters to insert, delete or replace, with which one name becomes the other. */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const letter of from.slice(0, maxNameLength)) {
    let before = row[0]!;
    row = row.map((above, index) => {
      const best = Math.min(
        above + 1,
        before + 1,
        row[index - 1]! + (letter === to[index - 1] ? 0 : 1),
      );
      before = index === 0 ? above + 1 : best;
      return before;
    });
  }
  return row.at(-1)!;
}

const maxNameLength = 50;

import { checkAtLeast, checkFunction } from "@listwatch/core-fifo/base";

/** Options of which each has a value. */
export type Resolved<O> = { readonly [Name in keyof O]-?: Exclude<O[Name], undefined> };

/** Smallest values of the numbers that may not be 0. */
const leastOf: Readonly<Record<string, number>> = {
  factor: 1,
  silenceMs: 1,
  watchListSilenceMs: 1,
};

/**
 * Checks a group of options against their defaults, and puts the defaults in place of what is not
 * given: a number must be at least 0, or more where the table above says so; a function must be
 * one.
 *
 * @throws {InvalidOptionsError} otherwise
 */
export function resolveOptions<O extends object>(
  group: string,
  options: { readonly [Name in keyof O]?: O[Name] | undefined } | undefined,
  defaults: O,
): O {
  const resolved = { ...defaults };
  for (const name in defaults) {
    const value = options?.[name];
    if (value === undefined) continue;
    const option = `${group}.${name}`;
    if (typeof defaults[name] === "number") checkAtLeast(option, value, leastOf[name] ?? 0);
    if (typeof defaults[name] === "function") checkFunction(option, value);
    resolved[name] = value;
  }
  return resolved;
}

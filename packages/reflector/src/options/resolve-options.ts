/** Options of which each has a value. */
export type Resolved<O> = { readonly [Name in keyof O]-?: Exclude<O[Name], undefined> };

/** Puts defaults in place of the options that are not given. */
export function resolveOptions<O extends object>(
  options: { readonly [Name in keyof O]?: O[Name] | undefined } | undefined,
  defaults: O,
): O {
  const resolved = { ...defaults };
  for (const name in defaults) {
    const value = options?.[name];
    if (value !== undefined) resolved[name] = value;
  }
  return resolved;
}

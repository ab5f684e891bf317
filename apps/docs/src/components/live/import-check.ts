import { findImports, lineAt } from "./imports.ts";
import type { Layers } from "./single-layers.ts";

/**
 * Returns why the first import of a program fails, as it does on Node: a name that the module does
 * not export, or a type that is imported as a value. Undefined if none fails.
 */
export function failedImport(
  code: string,
  modules: Readonly<Record<string, unknown>>,
  { names, types }: Layers,
): string | undefined {
  for (const { module, names: imported } of findImports(code)) {
    if (!Object.hasOwn(modules, module)) continue;
    const values = Object.keys(modules[module] as object);
    for (const { at, isType, name } of imported) {
      if (isType || values.includes(name)) continue;
      const start = `Couldn't import "${name}" from "${module}" at line ${lineAt(code, at)}`;
      const isKnownType =
        types.includes(name) && (module === "listwatch" || names[name] === module);
      if (isKnownType) return `${start}: it is a type, write "type ${name}"`;
      const near = nearestName(name, values);
      const advice = near === undefined ? "" : `; did you mean "${near}"?`;
      return `${start}: it has no such export${advice}`;
    }
  }
  return undefined;
}

/** The name that differs least; undefined if half of the letters differ. */
function nearestName(name: string, names: readonly string[]): string | undefined {
  let [nearest, least]: [string | undefined, number] = [undefined, name.length / 2];
  for (const other of names) {
    const changes = countChanges(name.toLowerCase(), other.toLowerCase());
    if (changes < least) [nearest, least] = [other, changes];
  }
  return nearest;
}

/** Letters to insert, remove or replace until one word is the other one. */
function countChanges(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_value, column) => column);
  for (const [index, letter] of from.split("").entries()) {
    const next = [index + 1];
    for (const [column, other] of to.split("").entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

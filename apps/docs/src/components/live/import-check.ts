import { nearestName } from "@listwatch/core-fifo/base";
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

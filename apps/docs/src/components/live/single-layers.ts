import { findImports, type NamedImport } from "./imports.ts";

/** The packages that `listwatch` consists of, read from their sources when the site is built. */
export interface Layers {
  /** The package that exports a name of `listwatch`. */
  readonly names: Readonly<Record<string, string>>;
  /** Those names that are types. */
  readonly types: readonly string[];
  /** The module that a sub-path of `listwatch` re-exports. */
  readonly modules: Readonly<Record<string, string>>;
}

/** Formatters break longer lines. */
const maxColumns = 100;

/** Returns a program that imports each name from the layer that exports it. */
export function singleLayers(code: string, { modules, names }: Layers): string {
  return withModules(code, (module, name) =>
    module === "listwatch" ? own(names, name) : own(modules, module),
  );
}

/** Returns a program that imports from `listwatch` what it imported from layers. */
export function allLayers(code: string, { modules, names }: Layers): string {
  const paths = new Map(Object.entries(modules).map(([path, module]) => [module, path]));
  return withModules(code, (module, name) =>
    own(names, name) === module ? "listwatch" : paths.get(module),
  );
}

/** Returns a program whose imports come from other modules; undefined leaves an import as it is. */
function withModules(
  code: string,
  moduleOf: (module: string, name: string) => string | undefined,
): string {
  const imports = findImports(code);
  // By module, in the order of the first import of each: several imports can become one.
  const names = new Map<string, Set<string>>();
  const moduleSets = imports.map(({ module, names: imported }) => {
    const modules = imported.map(({ name, isType, text }) => {
      const target = moduleOf(module, name) ?? module;
      if (!names.has(target)) names.set(target, new Set());
      names.get(target)?.add(isType ? `type ${text}` : text);
      return target;
    });
    return new Set(modules);
  });
  return replaceImports(code, imports, (index) => {
    const modules = [...(moduleSets[index] ?? [])];
    const { module = "" } = imports[index] ?? {};
    if (modules.length === 1 && modules[0] === module && isAlone(moduleSets, index))
      return undefined;
    const written = modules.filter((name) => names.has(name)).toSorted();
    return written
      .map((name) => {
        const statement = importStatement([...(names.get(name) ?? [])], name);
        names.delete(name);
        return statement;
      })
      .join("\n");
  });
}

/** Whether no other import has become one of the same module. */
function isAlone(moduleSets: readonly ReadonlySet<string>[], index: number): boolean {
  const [module = ""] = moduleSets[index] ?? [];
  return moduleSets.every((modules, other) => other === index || !modules.has(module));
}

function replaceImports(
  code: string,
  imports: readonly NamedImport[],
  textOf: (index: number) => string | undefined,
): string {
  let [result, end] = ["", 0];
  for (const [index, { from, to }] of imports.entries()) {
    const text = textOf(index);
    if (text === undefined) continue;
    result += code.slice(end, from) + text;
    // An import that became part of an earlier one leaves no empty line.
    end = text === "" && code[to] === "\n" ? to + 1 : to;
  }
  return result + code.slice(end);
}

function importStatement(names: readonly string[], module: string): string {
  const areTypes = names.every((name) => name.startsWith("type "));
  const shown = areTypes ? names.map((name) => name.slice("type ".length)) : names;
  const keyword = areTypes ? "import type" : "import";
  const line = `${keyword} { ${shown.join(", ")} } from "${module}";`;
  if (line.length <= maxColumns) return line;
  return `${keyword} {\n${shown.map((name) => `  ${name},\n`).join("")}} from "${module}";`;
}

function own(table: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

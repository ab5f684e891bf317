import { type DeclarationReflection, type Reflection, ReflectionKind } from "typedoc";
import type { Module } from "./modules.ts";
import { groupOf, isOptions, optionsOf, targetOf } from "./options.ts";
import { shapesOf } from "./shapes.ts";

/** A page of the reference: the symbols of one source file, and the options that they take. */
export interface Page {
  /** Path below the root of the site, such as `api/client/status-error`. */
  readonly id: string;
  readonly title: string;
  readonly module: Module;
  readonly symbols: readonly DeclarationReflection[];
  /** The symbol that the page is named for, if there is one. */
  readonly main: DeclarationReflection | undefined;
}

/** A type that is described as a part of another one. */
export interface Embedded {
  readonly owner: DeclarationReflection;
  /** The `id` of the part. */
  readonly anchor: string;
}

/** Types that need no section: groups of options, and the variants of a union of the same file. */
export function findEmbedded(modules: readonly Module[]): ReadonlyMap<Reflection, Embedded> {
  return new Map([...findVariants(modules), ...findGroups(modules)]);
}

function findVariants(modules: readonly Module[]): ReadonlyMap<Reflection, Embedded> {
  const variants = new Map<Reflection, Embedded>();
  for (const owner of modules.flatMap(({ symbols }) => symbols)) {
    if (owner.type?.type !== "union" || shapesOf(owner.type) === undefined) continue;
    for (const part of owner.type.types) {
      const target = targetOf(part);
      if (target === undefined || fileOf(target) !== fileOf(owner)) continue;
      if (!variants.has(target)) variants.set(target, { owner, anchor: target.name });
    }
  }
  return variants;
}

/** The groups of options whose members are rows in the table of other options. */
function findGroups(modules: readonly Module[]): ReadonlyMap<Reflection, Embedded> {
  const groups = new Map<Reflection, Embedded>();
  for (const { symbols } of modules) {
    const taken = new Set(symbols.flatMap((symbol) => optionsTakenBy(symbol)));
    const all = symbols.filter((symbol) => isOptions(symbol));
    const inner = new Set(all.flatMap((owner) => groupsIn(owner)).map(({ type }) => type));
    for (const owner of all.filter((type) => taken.has(type) || !inner.has(type))) {
      for (const { path, type } of groupsIn(owner)) {
        const isFree = symbols.includes(type) && !taken.has(type) && !groups.has(type);
        if (isFree) groups.set(type, { owner, anchor: `${owner.name}.${path}` });
      }
    }
  }
  return groups;
}

/** All groups of options in a type, with the paths of the options that have them. */
function groupsIn(
  owner: DeclarationReflection,
): readonly { readonly path: string; readonly type: DeclarationReflection }[] {
  const read = (option: DeclarationReflection, path: string): ReturnType<typeof groupsIn> => {
    const group = groupOf(option);
    if (group === undefined) return [];
    const inner = group.members.flatMap((member) => read(member, `${path}.${member.name}`));
    return [{ path, type: group.type }, ...inner];
  };
  return (owner.children ?? []).flatMap((option) => read(option, option.name));
}

/** Distributes the symbols of a module over pages. */
export function arrangePages(
  module: Module,
  embedded: ReadonlyMap<Reflection, Embedded>,
): readonly Page[] {
  const names = new Map(module.symbols.map((symbol) => [symbol, fileOf(symbol)]));
  const files = new Set(names.values());
  for (const [symbol, name] of names) {
    const owner = name.replace(/-options$/, "");
    if (files.has(owner)) names.set(symbol, owner);
  }
  moveOptions(module, names);
  const pages = Map.groupBy(
    module.symbols.filter((symbol) => !embedded.has(symbol)),
    (symbol) => names.get(symbol)!,
  );
  return [...pages].map(([name, symbols]) => {
    const main = mainSymbol(name, symbols);
    const others = symbols.filter((symbol) => symbol !== main);
    const all = [
      ...(main === undefined ? [] : [main]),
      ...others.toSorted((a, b) => rankOf(a) - rankOf(b)),
    ];
    const title = main?.name ?? titleOf(name);
    return { id: `api/${module.folder}/${name}`, title, module, symbols: all, main };
  });
}

/** Options move to the page of what takes them, if all takers are on one. */
function moveOptions(module: Module, names: Map<DeclarationReflection, string>): void {
  const takers = new Map<DeclarationReflection, Set<string>>();
  for (const symbol of module.symbols) {
    for (const options of optionsTakenBy(symbol)) {
      takers.set(options, (takers.get(options) ?? new Set()).add(names.get(symbol)!));
    }
  }
  for (const [options, pages] of takers) {
    if (pages.size === 1 && names.has(options)) names.set(options, [...pages][0]!);
  }
}

/** Options of a function, or of a constructor and its methods. */
function optionsTakenBy(symbol: DeclarationReflection): readonly DeclarationReflection[] {
  return [symbol, ...(symbol.children ?? [])]
    .filter(({ inheritedFrom }) => inheritedFrom === undefined)
    .flatMap((callable) => optionsOf(callable));
}

function fileOf(symbol: DeclarationReflection): string {
  const path = symbol.sources![0]!.fullFileName;
  return /([^/]+)\.ts$/.exec(path)![1]!.replace(/^node-/, "");
}

function mainSymbol(
  name: string,
  symbols: readonly DeclarationReflection[],
): DeclarationReflection | undefined {
  if (symbols.length === 1) return symbols[0];
  const compact = name.replaceAll("-", "");
  const same = symbols.filter((symbol) => symbol.name.toLowerCase() === compact);
  if (same.length > 0) return same.toSorted((a, b) => rankOf(a) - rankOf(b))[0];
  const active = symbols.filter((symbol) => rankOf(symbol) < 2 && !symbol.name.endsWith("Error"));
  return active.length === 1 ? active[0] : undefined;
}

const ranks = [
  ReflectionKind.Class,
  ReflectionKind.Function,
  ReflectionKind.Variable,
  ReflectionKind.Interface,
  ReflectionKind.TypeAlias,
];

/** Values come before types; types stay in the order of the source. */
function rankOf({ kind }: Reflection): number {
  return Math.min(ranks.indexOf(kind), 3);
}

function titleOf(name: string): string {
  const words = name.replaceAll("-", " ");
  return words[0]!.toUpperCase() + words.slice(1);
}

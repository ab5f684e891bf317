/** The rules for the names that packages export; `npm run api` prints the findings. */
import type { Declaration, Declarations } from "./declarations.ts";

/** An entry point of a package, as its declaration file. */
export interface Entry {
  /** The specifier of an import, such as `@listwatch/client/node`. */
  readonly specifier: string;
  /** The folder of the package, with which the paths of its files begin. */
  readonly package: string;
  readonly file: string;
}

/** A type in a public declaration that a program cannot import. */
export interface ForgottenExport extends Declaration {
  readonly entry: string;
  /** The exported names whose declarations contain it. */
  readonly usedBy: readonly string[];
}

/** A name that stands for different declarations. */
export interface AmbiguousName {
  readonly name: string;
  readonly entries: readonly string[];
}

function idOf({ file, name }: Declaration): string {
  return `${file} ${name}`;
}

/** An entry for the packages of listwatch only. */
function isInternal({ specifier }: Entry): boolean {
  return specifier.endsWith("/base");
}

/** The exported names of a set of entries, whose packages include all that they import of ours. */
export class PublicSurface {
  readonly #declarations: Declarations;
  readonly #entries: readonly Entry[];
  readonly #importable: ReadonlySet<string>;

  constructor(declarations: Declarations, entries: readonly Entry[]) {
    this.#declarations = declarations;
    this.#entries = entries;
    const importable = entries
      .filter((entry) => !isInternal(entry))
      .flatMap(({ file }) => Array.from(declarations.exportsOf(file).values(), idOf));
    this.#importable = new Set(importable);
  }

  /**
   * Finds the types that appear in the declarations of an entry, and that neither this entry nor
   * another public one exports: API Extractor's rule "forgotten export". A class that is exported
   * as a type has no constructor for its users.
   */
  forgottenExports(): readonly ForgottenExport[] {
    return this.#entries.flatMap((entry) => this.#forgottenBy(entry));
  }

  /** Lists the names of an entry, and those of them that are values. */
  namesOf({ file }: Entry): { readonly names: string[]; readonly values: string[] } {
    const exported = [...this.#declarations.exportsOf(file)];
    const values = exported.filter(([, { isValue }]) => isValue);
    return { names: exported.map(([name]) => name), values: values.map(([name]) => name) };
  }

  /** Finds the names that several entries export for different declarations. */
  ambiguousNames(entries: readonly Entry[]): readonly AmbiguousName[] {
    const uses = new Map<string, { readonly ids: Set<string>; readonly entries: string[] }>();
    for (const { file, specifier } of entries) {
      for (const [name, declaration] of this.#declarations.exportsOf(file)) {
        const use = uses.get(name) ?? { ids: new Set(), entries: [] };
        use.ids.add(idOf(declaration));
        use.entries.push(specifier);
        uses.set(name, use);
      }
    }
    return [...uses]
      .filter(([, { ids }]) => ids.size > 1)
      .map(([name, use]) => ({ name, entries: use.entries }));
  }

  #forgottenBy(entry: Entry): ForgottenExport[] {
    const exported = this.#declarations.exportsOf(entry.file);
    const own = new Set([...exported.values()].map(idOf));
    const found = new Map<string, { readonly declaration: Declaration; readonly by: string[] }>();
    for (const [name, declaration] of exported) {
      if (!declaration.file.startsWith(`${entry.package}/`)) continue;
      for (const reference of this.#declarations.referencesOf(declaration)) {
        const id = idOf(reference);
        if (own.has(id) || this.#importable.has(id)) continue;
        const { by } = found.get(id) ?? { by: [] };
        found.set(id, { declaration: reference, by: [...by, name] });
      }
    }
    return Array.from(found.values(), ({ declaration: { file, name }, by }) => {
      return { entry: entry.specifier, file, name, usedBy: by };
    });
  }
}

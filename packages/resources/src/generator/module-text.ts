/** Collects declarations and imports of a generated module, and writes its source. */
export class ModuleText {
  /** Imported names by module, each with its local name. */
  readonly #imports = new Map<string, Map<string, string>>();
  readonly #taken = new Set<string>();
  readonly #declarations: string[] = [];

  /** Imports a type and returns its local name, which differs if the module declares that name. */
  importType(from: string, name: string): string {
    const names = this.#imports.get(from) ?? new Map<string, string>();
    this.#imports.set(from, names);
    const local = names.get(name) ?? this.reserve(name);
    names.set(name, local);
    return local;
  }

  /** Reserves a name for a declaration; a number is appended if it is taken. */
  reserve(wanted: string): string {
    let name = wanted;
    for (let count = 2; this.#taken.has(name); count++) name = wanted + count;
    this.#taken.add(name);
    return name;
  }

  /** Adds a declaration. It precedes those that `text` adds. */
  declare(text: () => string): void {
    const place = this.#declarations.push("") - 1;
    this.#declarations[place] = text();
  }

  /** Returns the source, with a comment before the imports. */
  toString(head: string): string {
    const imports = [...this.#imports].toSorted(byFirst).map(([from, names]) => {
      const list = [...names]
        .toSorted(byFirst)
        .map(([name, local]) => (name === local ? name : `${name} as ${local}`));
      return `import type { ${list.join(", ")} } from ${JSON.stringify(from)};\n`;
    });
    const parts = imports.length === 0 ? [] : [imports.join("")];
    return `${head}${[...parts, ...this.#declarations].join("\n")}`;
  }
}

// By code units, which no locale affects.
function byFirst([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

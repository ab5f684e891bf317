/** The names that an entry point re-exports, which is all it does (`npm run boundaries`). */
export function exportedNames(text: string): string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, "");
  const names = [...code.matchAll(/export\s+(?:type\s+)?\{([^}]*)\}/g)]
    .flatMap(([, list = ""]) => list.split(","))
    .map((item) => item.trim())
    .filter((item) => item !== "")
    .map((item) => item.replace(/^type\s+/, "").replace(/^\S+\s+as\s+/, ""));
  return [...new Set(names)].toSorted();
}

/** The names that more than one package exports, with their packages. */
export function sharedNames(namesByPackage: ReadonlyMap<string, readonly string[]>): string[] {
  const packages = new Map<string, string[]>();
  for (const [folder, names] of namesByPackage) {
    for (const name of names) packages.set(name, [...(packages.get(name) ?? []), folder]);
  }
  return [...packages]
    .filter(([, folders]) => folders.length > 1)
    .map(([name, folders]) => `${name} (${folders.join(", ")})`);
}

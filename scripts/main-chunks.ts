import { basename } from "node:path";
import type { OutputOptions } from "rolldown";

/**
 * Packages whose late chunks share many modules with the main entry point. By default the bundler
 * makes a file for each set of chunks that share modules, and a program reads nearly all of them:
 * the import of the fake API server took 1.3 times as long.
 */
const packagesWithMainChunk: readonly string[] = ["client", "fake-apiserver"];

type CodeSplitting = Exclude<OutputOptions["codeSplitting"], boolean | undefined>;

/** The part of the bundler's context that is needed here. */
interface Modules {
  getModuleInfo(
    id: string,
  ): { readonly importers: readonly string[]; readonly isEntry: boolean } | null;
}

/** Returns the entry points that import a module, other than by `import()`. */
export function entriesOf(module: string, modules: Modules): readonly string[] {
  const reached = new Set([module]);
  for (const id of reached) {
    for (const importer of modules.getModuleInfo(id)?.importers ?? []) reached.add(importer);
  }
  return [...reached].filter((id) => modules.getModuleInfo(id)?.isEntry === true);
}

/** Puts what the main entry point of a package imports into one chunk, or into two. */
export function mainChunks(folder: string): CodeSplitting {
  if (!packagesWithMainChunk.includes(folder)) return {};
  const nameOf = (id: string, modules: Modules): string | null => {
    if (foreignPackage([id]) !== undefined) return null;
    const entries = entriesOf(id, modules);
    if (!entries.some((entry) => basename(entry) === "index.ts")) return null;
    return entries.length > 1 ? "shared" : "main";
  };
  return { groups: [{ name: nameOf }] };
}

/** The package from elsewhere that a chunk holds, if it does. */
export function foreignPackage(moduleIds: readonly string[]): string | undefined {
  const names = moduleIds.flatMap(
    (id) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? [],
  );
  return names[0];
}

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

/**
 * Puts what the main entry point of a package imports into two chunks: what another entry point
 * imports too, and the rest. In one chunk, the other entry point would load all of it.
 */
export function mainChunks(folder: string): CodeSplitting {
  if (!packagesWithMainChunk.includes(folder)) return {};
  const chunk = (
    name: string,
    priority: number,
    fits: (entries: readonly string[]) => boolean,
  ) => ({
    debugName: name,
    name: (id: string, modules: Modules): string | null =>
      foreignPackage([id]) === undefined && fits(entriesOf(id, modules)) ? name : null,
    priority,
  });
  const inMain = (entries: readonly string[]): boolean =>
    entries.some((entry) => basename(entry) === "index.ts");
  return {
    groups: [
      chunk("shared", 1, (entries) => inMain(entries) && entries.length > 1),
      chunk("main", 0, inMain),
    ],
  };
}

/** The package from elsewhere that a chunk holds, if it does. */
export function foreignPackage(moduleIds: readonly string[]): string | undefined {
  const names = moduleIds.flatMap(
    (id) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? [],
  );
  return names[0];
}

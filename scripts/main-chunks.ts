import { basename } from "node:path";
import type { OutputOptions, Plugin } from "rolldown";

/**
 * Packages whose late chunks share many modules with the main entry point. By default the bundler
 * makes a file for each set of chunks that share modules, and a program reads nearly all of them:
 * the import of the fake API server took 1.3 times as long.
 */
const packagesWithMainChunk: readonly string[] = ["client", "fake-apiserver"];

/** How the modules of a published package become files. */
export interface MainChunks {
  /** Finds the modules that entry points import. */
  readonly plugin: Plugin;
  readonly codeSplitting: NonNullable<OutputOptions["codeSplitting"]>;
}

/** Puts what the main entry point of a package imports into one chunk, or into two. */
export function mainChunks(folder: string): MainChunks {
  const hasMainChunk = packagesWithMainChunk.includes(folder);
  /** The entry points that import each module, other than by `import()`. */
  const importers = new Map<string, Set<string>>();
  const plugin: Plugin = {
    name: "find-importers",
    buildEnd() {
      for (const entry of [...this.getModuleIds()]) {
        if (this.getModuleInfo(entry)?.isEntry !== true) continue;
        const reached = new Set([entry]);
        for (const id of reached) {
          importers.set(id, (importers.get(id) ?? new Set()).add(basename(entry)));
          for (const imported of this.getModuleInfo(id)?.importedIds ?? []) reached.add(imported);
        }
      }
    },
  };
  /** Whether the main entry point imports a module, alone or with other entry points. */
  const isImportedBy = (id: string, importedBy: "main" | "others"): boolean => {
    if (!hasMainChunk) return false;
    const entryPoints = importers.get(id);
    if (entryPoints?.has("index.ts") !== true || foreignPackage([id]) !== undefined) return false;
    return entryPoints.size > 1 === (importedBy === "others");
  };
  return {
    plugin,
    codeSplitting: {
      groups: [
        { name: "shared", test: (id) => isImportedBy(id, "others"), priority: 1 },
        { name: "main", test: (id) => isImportedBy(id, "main") },
      ],
    },
  };
}

/** The package from elsewhere that a chunk holds, if it does. */
export function foreignPackage(moduleIds: readonly string[]): string | undefined {
  const names = moduleIds.flatMap(
    (id) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? [],
  );
  return names[0];
}

/** Emits the declarations of packages to one folder, as their users get them. */
import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { WorkspacePackage } from "../workspace.ts";
import { Declarations } from "./declarations.ts";
import type { Entry } from "./public-surface.ts";

/**
 * Emits the declarations of the packages, without comments, to `out/packages`. Files for a platform
 * are compiled with its types, by separate configurations.
 */
export function emitDeclarations(packages: readonly WorkspacePackage[], out: string): void {
  const flags = ["--emitDeclarationOnly", "--removeComments", "--declarationMap", "false"];
  const layout = ["--outDir", out, "--customConditions", "@listwatch/source", "--rootDir", "."];
  for (const { folder } of packages) {
    const configs = globSync("tsconfig.*.json", { cwd: join("packages", folder) }).toSorted();
    for (const config of configs) {
      const project = join("packages", folder, config);
      execFileSync("tsc", ["-p", project, ...flags, ...layout], { stdio: "inherit" });
    }
  }
}

/** Lists the entry points of the packages, whose files are paths in `out/packages`. */
export function entriesOf(packages: readonly WorkspacePackage[]): readonly Entry[] {
  return packages.flatMap(({ folder, manifest }) =>
    Object.entries(manifest.exports).flatMap(([path, target]) => {
      if (typeof target === "string") return [];
      const source = target["@listwatch/source"].replace(/\.ts$/, ".d.ts");
      const specifier = join(manifest.name, path);
      return [{ specifier, package: folder, file: join(folder, source) }];
    }),
  );
}

/** Reads the declarations that were emitted to `out/packages`. */
export function readDeclarations(out: string, entries: readonly Entry[]): Declarations {
  const files = new Map(entries.map(({ file, specifier }) => [specifier, file]));
  return new Declarations({
    read: (file) => readFileSync(join(out, "packages", file), "utf8"),
    resolve: (source, from) =>
      source.startsWith(".")
        ? join(dirname(from), source.replace(/\.ts$/, ".d.ts"))
        : files.get(source),
  });
}

/**
 * Writes the JavaScript of the package in the current folder to a new `dist/`, to which the
 * compiler adds the types: a file for each entry point, and chunks of what they share and of what
 * is loaded when it is first needed. Node takes four times as long to import a file for each
 * module. What is a devDependency becomes a chunk of the package, with its licence.
 */
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { rolldown, type Plugin } from "rolldown";
import { lineMap } from "./checks/line-maps.ts";
import { entryPointsOf, readJson, type Manifest } from "./workspace.ts";

const folder = basename(process.cwd());
process.chdir(resolve(import.meta.dirname, ".."));
const path = join("packages", folder);
const { browser = {}, dependencies = {} } = readJson(join(path, "package.json")) as Manifest;
const entries = entryPointsOf(folder).filter((file) => file.endsWith(".ts"));

/** The entry points that import each module, other than by `import()`. */
const importers = new Map<string, Set<string>>();
const findImporters: Plugin = {
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

/**
 * Packages whose late chunks share many modules with the main entry point. By default the bundler
 * makes a file for each set of chunks that share modules, and a program reads nearly all of them:
 * the import of the fake API server took 1.3 times as long.
 */
const hasMainChunk = ["client", "fake-apiserver"].includes(folder);

/** Whether the main entry point imports a module, alone or with other entry points. */
function isImportedBy(id: string, importedBy: "main" | "others"): boolean {
  if (!hasMainChunk) return false;
  const entryPoints = importers.get(id);
  if (entryPoints?.has("index.ts") !== true || foreignPackage([id]) !== undefined) return false;
  return entryPoints.size > 1 === (importedBy === "others");
}

const bundle = await rolldown({
  input: Object.fromEntries(
    entries.map((file) => [file.replace(/\.ts$/, ""), join(path, "src", file)]),
  ),
  platform: "neutral",
  plugins: [findImporters],
  external: [/^node:/, ...Object.keys(dependencies).map((name) => new RegExp(`^${name}(/|$)`))],
});

/** The package from elsewhere that a chunk holds, if it does. */
function foreignPackage(moduleIds: readonly string[]): string | undefined {
  const names = moduleIds.flatMap(
    (id) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1] ?? [],
  );
  return names[0];
}

/** The licence of what a chunk holds, as a comment that other bundlers keep. */
function licence(moduleIds: readonly string[]): string {
  const name = foreignPackage(moduleIds);
  if (name === undefined) return "";
  const own = join("node_modules", name);
  const { version } = readJson(join(own, "package.json")) as Manifest;
  return `/*! ${name} ${version}\n\n${readFileSync(join(own, "LICENSE"), "utf8")}*/`;
}

const dir = join(path, "dist");
rmSync(dir, { recursive: true, force: true });
await bundle.write({
  dir,
  format: "es",
  chunkFileNames: ({ moduleIds }) => `chunks/${foreignPackage(moduleIds) ?? "[name]"}.js`,
  banner: ({ moduleIds }) => licence(moduleIds),
  // The declarations have those of what is public.
  comments: { jsdoc: false },
  codeSplitting: {
    groups: [
      { name: "shared", test: (id) => isImportedBy(id, "others"), priority: 1 },
      { name: "main", test: (id) => isImportedBy(id, "main") },
    ],
  },
  sourcemap: true,
  // The package holds the sources as well.
  sourcemapExcludeSources: true,
});

for (const file of globSync(join(dir, "**/*.js.map"))) {
  writeFileSync(file, lineMap(readFileSync(file, "utf8")));
}

// Chunks have no public names, but the member `browser` names those that pages leave out.
const missing = Object.keys(browser).filter((file) => !existsSync(join(path, file)));
if (missing.length > 0) throw new Error(`The bundle of ${folder} has no ${missing.join(", ")}`);

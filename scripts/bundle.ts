/**
 * Writes the JavaScript of the package in the current folder to a new `dist/`, to which the
 * compiler adds the types: a file for each entry point, and chunks of what they share and of what
 * is loaded when it is first needed. Node takes four times as long to import a file for each
 * module. What is a devDependency becomes a chunk of the package, with its licence.
 */
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { rolldown } from "rolldown";
import { lineMap } from "./checks/line-maps.ts";
import { foreignPackage, mainChunks } from "./main-chunks.ts";
import { entryPointsOf, readJson, type Manifest } from "./workspace.ts";

const folder = basename(process.cwd());
process.chdir(resolve(import.meta.dirname, ".."));
const path = join("packages", folder);
const { browser = {}, dependencies = {} } = readJson(join(path, "package.json")) as Manifest;
const entries = entryPointsOf(folder).filter((file) => file.endsWith(".ts"));

const bundle = await rolldown({
  input: Object.fromEntries(
    entries.map((file) => [file.replace(/\.ts$/, ""), join(path, "src", file)]),
  ),
  platform: "neutral",
  external: [/^node:/, ...Object.keys(dependencies).map((name) => new RegExp(`^${name}(/|$)`))],
});

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
  codeSplitting: mainChunks(folder),
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

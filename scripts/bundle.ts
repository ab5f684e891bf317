/**
 * Writes the JavaScript of the package in the current folder to a new `dist/`, to which the
 * compiler adds the types: a file for each entry point, and chunks of what they share and of what
 * is loaded when it is first needed. Node takes four times as long to import a file for each
 * module.
 */
import { rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { rolldown } from "rolldown";
import { entryPointsOf, readJson, type Manifest } from "./workspace.ts";

const folder = basename(process.cwd());
process.chdir(resolve(import.meta.dirname, ".."));
const path = join("packages", folder);
const { dependencies = {} } = readJson(join(path, "package.json")) as Manifest;
const entries = entryPointsOf(folder).filter((file) => file.endsWith(".ts"));
const bundle = await rolldown({
  input: Object.fromEntries(
    entries.map((file) => [file.replace(/\.ts$/, ""), join(path, "src", file)]),
  ),
  platform: "neutral",
  external: [/^node:/, ...Object.keys(dependencies).map((name) => new RegExp(`^${name}(/|$)`))],
});
const dir = join(path, "dist");
rmSync(dir, { recursive: true, force: true });
await bundle.write({
  dir,
  format: "es",
  chunkFileNames: "chunks/[name].js",
  sourcemap: true,
  // The package holds the sources as well.
  sourcemapExcludeSources: true,
});

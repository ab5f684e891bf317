/**
 * Generates the interfaces and handles of Kubernetes' kinds from the OpenAPI documents of an API
 * server, one module for each group and version, and the entries of `@listwatch/resources` that
 * export them:
 *
 * ```
 * npm run gen -- resources [--check]
 * ```
 *
 * With `--check` nothing is written; it fails when a file is not what would be written, or is there
 * and would not be written.
 */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { readDocuments } from "./documents.ts";
import { head, resourceModules } from "./resource-modules.ts";

const check = process.argv.includes("--check");
const folder = "packages/resources";
const umbrella = "packages/listwatch";
const { handles, interfaces, sources } = resourceModules(readDocuments());
const modules = [...sources.keys()];
const files = new Map(
  [...sources].map(([path, source]) => [`${folder}/src/${path}.generated.ts`, source]),
);
addEntries(folder, modules);
// The package with all layers hands them on.
for (const path of modules) {
  files.set(
    `${umbrella}/src/resources/${path}.generated.ts`,
    `${head}/**\n * All of \`@listwatch/resources/${path}\`.\n *\n * @module\n */
export * from "@listwatch/resources/${path}";\n`,
  );
}
addEntries(
  umbrella,
  modules.map((path) => `resources/${path}`),
);

/** Exports modules of a package, from npm and from JSR. */
function addEntries(of: string, paths: readonly string[]): void {
  for (const [name, entries] of [
    ["package.json", paths.map((path) => [`./${path}`, npmEntry(path)])],
    ["deno.json", paths.map((path) => [`./${path}`, `./src/${path}.generated.ts`])],
  ] as const) {
    const text = withEntries(`${of}/${name}`, Object.fromEntries(entries));
    if (text !== undefined) files.set(`${of}/${name}`, text);
  }
}

function npmEntry(path: string): unknown {
  const source = `./src/${path}.generated.ts`;
  return {
    types: { "@listwatch/source": source, default: `./dist/${path}.generated.d.ts` },
    "@listwatch/source": source,
    default: `./dist/${path}.generated.js`,
  };
}

/** A manifest with the entries of the modules behind its own; `undefined` if it has them. */
function withEntries(file: string, entries: Readonly<Record<string, unknown>>): string | undefined {
  const manifest = JSON.parse(readFileSync(file, "utf8")) as {
    readonly exports: Readonly<Record<string, unknown>>;
  };
  const own = Object.entries(manifest.exports).filter(([path]) => !/\/v\d\w*$/.test(path));
  const [{ "./package.json": last, ...first }] = [Object.fromEntries(own)];
  const exports = { ...first, ...entries, ...(last !== undefined && { "./package.json": last }) };
  // Not the text, which the formatter has wrapped.
  if (JSON.stringify(exports) === JSON.stringify(manifest.exports)) return undefined;
  return `${JSON.stringify({ ...manifest, exports }, undefined, 2)}\n`;
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

const stale = globSync(`{${folder},${umbrella}}/src/**/*.generated.ts`).filter(
  (file) => !files.has(file),
);
for (const file of stale) {
  if (!check) rmSync(file);
}
const changed = [...files].filter(([file, text]) => textOf(file) !== text).map(([file]) => file);
if (check) {
  for (const file of [...changed, ...stale]) {
    console.error(`${file} is out of date: run "npm run gen -- resources"`);
    process.exitCode = 1;
  }
} else {
  for (const file of changed) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, files.get(file)!);
  }
}
const bytes = [...sources.values()].reduce((sum, text) => sum + text.length, 0);
console.log(
  `${interfaces} interfaces, ${handles} handles, ${sources.size} modules, ` +
    `${(bytes / 1000).toFixed(0)} kB, ${changed.length + stale.length} files changed`,
);

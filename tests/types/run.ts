/**
 * Compiles the built declarations of every public entry like a user's compiler: with each of
 * TypeScript 5.7 to 7.0 and the types of each server runtime, without the DOM library and with
 * `skipLibCheck: false`. Then it compiles the programs in `programs/`, which contain what must and
 * must not compile, and those of users in `tests/programs`, also with the DOM library, and checks
 * settings of `module`. Prints the errors per package and combination.
 *
 * ```
 * npm run test:types -- [--quick] [PART OF A NAME | modules | VERSION OF TYPESCRIPT ...]
 * ```
 *
 * A name is that of an entry or of a program. With `--quick`, compilers before 7.0, which take
 * eight times as long, only use the types of the oldest runtime.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { workspacePackages } from "../../scripts/workspace.ts";
import { checkSettings } from "./module-settings.ts";

const compilers = [
  ["5.7", "tests/types/typescript-5.7/node_modules/typescript/bin/tsc"],
  ["5.9", "tests/types/typescript-5.9/node_modules/typescript/bin/tsc"],
  ["6.0", "tests/types/typescript-6.0/node_modules/typescript/bin/tsc"],
  ["7.0", "node_modules/typescript/bin/tsc"],
] as const;

interface Runtime {
  readonly name: string;
  /** Folder of its programs, which determines how imports resolve; ignored by git. */
  readonly folder: string;
  /** Package of types; Deno prints its own. */
  readonly types?: string;
}

const runtimes: readonly Runtime[] = [
  { name: "Node 22", folder: "tests/types/node-22/test-results", types: "node" },
  { name: "Node 24", folder: "test-results/types/node-24", types: "node" },
  { name: "Deno", folder: "test-results/types/deno" },
  { name: "Bun", folder: "test-results/types/bun", types: "bun-types" },
];
/** Runtimes of the platform-specific entries; all other entries support all of them. */
const platforms: Readonly<Record<string, readonly string[]>> = {
  node: ["Node 22", "Node 24", "Bun"],
  deno: ["Deno"],
  bun: ["Bun"],
};

const shownErrors = 5;
const languageLibraries = ["es2023", "esnext.disposable"];
const domLibraries = [...languageLibraries, "dom", "dom.iterable", "dom.asynciterable"];
const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  target: "es2023",
  module: "nodenext",
  skipLibCheck: false,
  noEmit: true,
  allowImportingTsExtensions: true,
};

interface Entry {
  readonly name: string;
  readonly program: string;
}

const isQuick = process.argv.includes("--quick");
const words = process.argv.slice(2).filter((word) => word !== "--quick");
const isVersion = (word: string): boolean => /^\d+\.\d+$/.test(word);
const wanted = words.filter((word) => !isVersion(word));
const versions = words.filter(isVersion);
const unknownVersions = versions.filter((word) => compilers.every(([version]) => version !== word));
if (unknownVersions.length > 0) {
  const known = compilers.map(([version]) => version).join(", ");
  throw new Error(
    `Expected versions of TypeScript among ${known}, got ${unknownVersions.join(", ")}`,
  );
}
const entries: readonly Entry[] = workspacePackages()
  .flatMap(({ manifest }) =>
    Object.keys(manifest.exports)
      .filter((path) => path !== "./package.json")
      .map((path) => manifest.name + path.slice(1)),
  )
  .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
  .map((name) => ({ name, program: `${name.replace(/^@/, "").replaceAll("/", "-")}.ts` }));

/** The programs and the files that they import, which are copied next to the entries. */
const sources = ["programs/*.ts", "../programs/*.ts", "../programs/page/*.ts"];
const programPaths = globSync(sources, { cwd: import.meta.dirname })
  .filter((path) => !path.endsWith(".test.ts"))
  .toSorted();
const programFiles = programPaths.map(copyOf);
const programs = programFiles.filter(
  (name) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
);
/** Those of pages need the DOM library. */
const serverPrograms = programs.filter((name) => !name.includes("/page"));

function copyOf(path: string): string {
  return join("programs", basename(path));
}

function suits({ name }: Entry, runtime: Runtime): boolean {
  return platforms[name.split("/")[2] ?? ""]?.includes(runtime.name) ?? true;
}

/**
 * Returns the errors in our declarations, as lines of the compiler. Errors in a runtime's types are
 * ignored.
 */
function errorsOf(
  compiler: string,
  runtime: Runtime,
  files: readonly string[],
  lib: readonly string[],
): string[] {
  const { folder, types } = runtime;
  const file = join(folder, "tsconfig.json");
  const config = {
    compilerOptions: { ...compilerOptions, lib, types: types === undefined ? [] : [types] },
    files: types === undefined ? ["runtime.d.ts", ...files] : files,
  };
  writeFileSync(file, JSON.stringify(config));
  const args = [resolve(compiler), "-p", file, "--pretty", "false"];
  const { error, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (error !== undefined) return [error.message];
  if (stderr !== "") return [stderr];
  return stdout
    .split("\n")
    .filter((line) => /error TS\d+/.test(line))
    .filter((line) => !/node_modules\/|runtime\.d\.ts/.test(line));
}

for (const { folder, types } of runtimes) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  for (const { name, program } of entries) {
    writeFileSync(join(folder, program), `export * from "${name}";\n`);
  }
  mkdirSync(join(folder, "programs"));
  for (const path of programPaths)
    copyFileSync(join(import.meta.dirname, path), join(folder, copyOf(path)));
  if (types !== undefined) continue;
  const declarations = execFileSync("deno", ["types"], { encoding: "utf8", maxBuffer: 2 ** 28 });
  // They reference the whole language, which would hide needs of ours beyond ES2023.
  const own = declarations.replaceAll(/^\/\/\/ <reference .*$/gm, "");
  writeFileSync(join(folder, "runtime.d.ts"), own);
}

let passed = 0;
let failed = 0;

/** Compiles files, counts those without an error, and prints the errors by location. */
function check(
  [version, compiler]: (typeof compilers)[number],
  runtime: Runtime,
  what: string,
  { files, lib }: { readonly files: readonly string[]; readonly lib: readonly string[] },
): void {
  if (files.length === 0) return;
  const errors = errorsOf(compiler, runtime, files, lib);
  const found = Map.groupBy(
    errors,
    (error) => /packages\/([^/]+)\/|(programs\/[^(]+)/.exec(error)?.slice(1).join("") ?? "all",
  );
  failed += found.size;
  passed += Math.max(0, files.length - found.size);
  const state = found.size === 0 ? "ok     " : "FAILED ";
  console.log(`${state} TypeScript ${version}, ${runtime.name}: ${files.length} ${what}`);
  for (const [name, lines] of found) {
    console.log(`          ${name}: ${lines.length} errors`);
    for (const line of lines.slice(0, shownErrors)) console.log(`            ${line}`);
  }
}

for (const compiler of compilers) {
  if (versions.length > 0 && !versions.includes(compiler[0])) continue;
  const isWanted = wanted.length === 0 || wanted.includes("modules");
  for (const { what, problem } of isWanted ? checkSettings(compiler) : []) {
    if (problem === undefined) passed++;
    else failed++;
    const state = problem === undefined ? "ok     " : "FAILED ";
    console.log(`${state} TypeScript ${compiler[0]}, ${what}${problem ? `: ${problem}` : ""}`);
  }
  const few = isQuick && compiler[0] !== "7.0" ? runtimes.slice(0, 1) : runtimes;
  for (const runtime of few) {
    const suited = entries.filter((entry) => suits(entry, runtime));
    const entryFiles = suited.map(({ program }) => program);
    check(compiler, runtime, "entries", { files: entryFiles, lib: languageLibraries });
    check(compiler, runtime, "programs", { files: serverPrograms, lib: languageLibraries });
    check(compiler, runtime, "programs with the DOM", { files: programs, lib: domLibraries });
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;

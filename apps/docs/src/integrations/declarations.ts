import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, normalize } from "node:path";
import ts from "typescript";
import type { Layers } from "../components/live/single-layers.ts";
import { readLayers, repositoryFolder } from "./package-layers.ts";

/** Texts of declaration files by path. */
export type DeclarationFiles = Readonly<Record<string, string>>;

/** The declarations of the modules that a program of a page can import. */
export interface Declarations {
  /** The file of each module. */
  readonly entries: Readonly<Record<string, string>>;
  /** The parts that a module needs, itself included. */
  readonly needs: Readonly<Record<string, readonly string[]>>;
  /** The files of each part: a package, or a group of the resources. */
  readonly parts: Readonly<Record<string, DeclarationFiles>>;
}

/** The standard library of a program of a page, which runs in a worker. */
const libraries = ["es2024", "esnext.disposable", "webworker"];
const virtual = "virtual:declarations";
const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  isolatedDeclarations: true,
  declaration: true,
};
/** A module that another one names. */
const reference = /(?:\bfrom|\bimport)\s*\(?\s*"([^"\s,]+)"/g;

/**
 * Makes modules from the sources of the packages when the site is built: `virtual:layers`, and
 * `virtual:declarations`, whose parts are loaded when a program needs them.
 */
export function declarations(): { name: string; resolveId: unknown; load: unknown } {
  let read: Declarations | undefined;
  return {
    name: "declarations",
    resolveId: (id: string) =>
      /^virtual:(?:layers|declarations)/.test(id) ? `\0${id}` : undefined,
    load: (id: string) => {
      if (id === "\0virtual:layers") return `export default ${JSON.stringify(readLayers())};`;
      if (!id.startsWith(`\0${virtual}`)) return undefined;
      const part = id.slice(virtual.length + 2);
      if (part === "library") return `export default ${JSON.stringify(readLibrary())};`;
      read ??= readDeclarations();
      if (part === "") return overview(read);
      return `export default ${JSON.stringify(read.parts[part])};`;
    },
  };
}

function overview({ entries, needs, parts }: Declarations): string {
  const loaders = Object.keys(parts).map(
    (part) => `${JSON.stringify(part)}: () => import(${JSON.stringify(`${virtual}/${part}`)})`,
  );
  return [
    `export const entries = ${JSON.stringify(entries)};`,
    `export const needs = ${JSON.stringify(needs)};`,
    `export const loaders = {${loaders.join(",")}};`,
    `export const loadLibrary = () => import("${virtual}/library");`,
  ].join("\n");
}

/** The modules that the worker of the examples imports, by both of their names. */
function offeredModules({ modules }: Layers): string[] {
  const worker = join(repositoryFolder(), "apps/docs/src/components/runner.worker.ts");
  const imports = readFileSync(worker, "utf8").matchAll(/^import \* as \w+ from "([^".]+)";$/gm);
  const offered = new Set([...imports].map(([, module = ""]) => module.replace(/\s/g, "")));
  for (const [path, module] of Object.entries(modules)) if (offered.has(module)) offered.add(path);
  return [...offered];
}

/** Emits the declarations of all modules that programs can import, and of what these import. */
export function readDeclarations(): Declarations {
  const entries: Record<string, string> = {};
  const files = new Map<string, { readonly text: string; readonly imports: readonly string[] }>();
  const visit = (source: string): void => {
    if (files.has(source)) return;
    const text = emit(source);
    const imports = [...text.matchAll(reference)].map(([, module = ""]) =>
      module.startsWith(".")
        ? normalize(join(dirname(source), module.replace(/\.js$/, ".ts")))
        : sourceOf(module),
    );
    files.set(source, { text, imports });
    for (const imported of imports) visit(imported);
  };
  const needs: Record<string, string[]> = {};
  for (const module of offeredModules(readLayers())) {
    const source = sourceOf(module);
    visit(source);
    entries[module] = declarationPath(source);
    needs[module] = [...new Set([...reach(source, files)].map(partOf))];
  }
  // A declaration can name a package that programs cannot import, such as `…/base`.
  for (const { text } of files.values()) {
    for (const [, module = ""] of text.matchAll(reference)) {
      if (!module.startsWith(".")) entries[module] ??= declarationPath(sourceOf(module));
    }
  }
  return { entries, needs, parts: partsOf(files) };
}

function partsOf(files: ReadonlyMap<string, { readonly text: string }>): Declarations["parts"] {
  const parts: Record<string, Record<string, string>> = {};
  for (const [source, { text }] of files) {
    (parts[partOf(source)] ??= {})[declarationPath(source)] = text;
  }
  return parts;
}

/** The files that a file needs, itself included. */
function reach(
  source: string,
  files: ReadonlyMap<string, { readonly imports: readonly string[] }>,
): ReadonlySet<string> {
  const found = new Set([source]);
  // A set that grows while it is walked.
  for (const file of found) for (const next of files.get(file)?.imports ?? []) found.add(next);
  return found;
}

function emit(source: string): string {
  const text = readFileSync(join(repositoryFolder(), "packages", source), "utf8");
  const { outputText } = ts.transpileDeclaration(text, {
    fileName: source,
    compilerOptions: options,
  });
  return outputText;
}

function partOf(source: string): string {
  const [folder = "", , ...rest] = source.split("/");
  return folder === "resources"
    ? `resources/${rest.join("/").replace(".generated.ts", "")}`
    : folder;
}

function declarationPath(source: string): string {
  return `/${source.replace(/\.ts$/, ".d.ts")}`;
}

/** The source of a module of our packages, as a path in `packages/`. */
function sourceOf(module: string): string {
  const [, name = ""] = /^((?:@listwatch\/)?[^/]+)/.exec(module) ?? [];
  const folder = name.replace("@listwatch/", "");
  const file = join(repositoryFolder(), "packages", folder, "package.json");
  const manifest = JSON.parse(readFileSync(file, "utf8")) as {
    readonly exports: Readonly<Record<string, { readonly "@listwatch/source": string }>>;
  };
  const target = manifest.exports[`.${module.slice(name.length)}`];
  if (target === undefined) throw new Error(`Cannot find the source of ${module}`);
  return normalize(join(folder, target["@listwatch/source"]));
}

/** TypeScript's declarations of the standard library, with those that they refer to. */
export function readLibrary(): DeclarationFiles {
  const folder = dirname(createRequire(import.meta.url).resolve("typescript"));
  const names = new Set(libraries);
  const files: Record<string, string> = {};
  // A set that grows while it is walked.
  for (const name of names) {
    const text = readFileSync(join(folder, `lib.${name}.d.ts`), "utf8");
    files[`/library/lib.${name}.d.ts`] = text;
    for (const [, next = ""] of text.matchAll(/^\/\/\/ <reference lib="([^"]+)"/gm))
      names.add(next);
  }
  return files;
}

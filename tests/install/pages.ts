import { globSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join } from "node:path";
import { fencesIn, titleOf, type Fence } from "../support/fences.ts";

/** An install command of a page, and the page's first program. */
export interface FirstProgram {
  readonly page: string;
  /** Packages, in the order of the command. */
  readonly packages: readonly string[];
  /** The program, followed by the files that it imports. */
  readonly files: readonly File[];
  /** Whether it is a complete program, not a part of one. */
  readonly isWhole: boolean;
  /** Expected output; undefined if it only has to exit successfully. */
  readonly output: Output | undefined;
}

export interface File {
  readonly path: string;
  readonly text: string;
}

/** The whole output of a program, or a part of that of one without end. */
type Output = { readonly whole: string } | { readonly part: string };

/** Output of programs without end, about the objects of the cluster. */
const endless: Readonly<Record<string, string>> = {
  "README.md": "added web-0\n",
  "apps/docs/src/content/docs/coming-from/kubernetes-client-node.mdx": "added web-0\n",
  "apps/docs/src/content/docs/index.mdx": "added web-0\n",
  "apps/docs/src/content/docs/start/getting-started.mdx": "added web-0\n",
  "packages/client-node/README.md": "added web-0\n",
  "packages/controller/README.md": "default/web-0 ",
  "packages/listwatch/README.md": "added web-0\n",
};

const packageName = /^(?:@[^/@]+\/)?[^/@]+/;

/** Returns the packages that each command of a page installs with npm. */
function installedBy(fences: readonly Fence[]): readonly (readonly string[])[] {
  return fences
    .filter(({ language }) => language === "sh")
    .flatMap(({ text }) => text.split("\n"))
    .filter((line) => /^npm install\s/.test(line))
    .map((line) => wordsOf(line).slice(2));
}

function wordsOf(line: string): string[] {
  const words = line.replace(/\s#.*/, "").trim().split(/\s+/);
  return words.filter((word) => !word.startsWith("-"));
}

/** Returns the packages that a page installs with Deno and Bun, without the registry. */
export function otherCommands(page: string): readonly (readonly string[])[] {
  return fencesIn(readFileSync(page, "utf8"))
    .filter(({ language }) => language === "sh")
    .flatMap(({ text }) => text.split("\n"))
    .filter((line) => /^(?:deno|bun) add\s/.test(line))
    .map((line) => wordsOf(line).slice(2))
    .map((names) => names.map((name) => name.replace(/^(?:jsr|npm):/, "")));
}

/** Returns the modules that files import, such as `listwatch/node`. */
function modulesOf(files: readonly File[]): readonly string[] {
  const names = files
    .flatMap(({ text }) => [
      ...text.matchAll(/^(?:import|export)(?! type \*)[^;"]*?(?: from)? ?"([^".][^"]*)";/gm),
    ])
    .map(([, name = ""]) => name)
    .filter((name) => !/^(?:node|bun):/.test(name) && !builtinModules.includes(name));
  return [...new Set(names)];
}

function packageOf(module: string): string {
  return packageName.exec(module)?.[0] ?? module;
}

export function importsOf(files: readonly File[]): readonly string[] {
  return [...new Set(modulesOf(files).map(packageOf))];
}

/** Rewrites a program for the package of all layers. */
function withAllLayers({ path, text }: File): File {
  const known =
    /(?<=from ")@listwatch\/(client-node|fake-apiserver(?:\/\w+)?|resources\/[^"]+)(?=")/g;
  const layers = text
    .replaceAll(known, "listwatch/$1")
    .replaceAll('from "@listwatch/core-fifo/testing"', 'from "listwatch/testing"')
    .replaceAll('from "@listwatch/client/node"', 'from "listwatch/node"');
  return { path, text: layers.replaceAll(/(?<=from ")@listwatch\/[\w-]+(?=")/g, "listwatch") };
}

/** Returns an example with the files that it imports. */
function exampleFiles(name: string): readonly File[] {
  const found = new Map<string, File>();
  const add = (path: string): void => {
    if (found.has(path)) return;
    const text = readFileSync(join("examples", path), "utf8");
    found.set(path, { path, text });
    const imports = /^(?:import|\} from|import (?!type )[^"\n]* from) "(\.{1,2}\/[^"]+)"/gm;
    for (const [, other = ""] of text.matchAll(imports)) add(join(dirname(path), other));
  };
  add(`${name}.ts`);
  return [...found.values()];
}

const isCode = ({ language }: Fence): boolean => /^(?:tsx?|js|diff)$/.test(language);

/** Returns the code of a block; for a diff, the code afterwards. */
function codeOf({ language, text }: Fence): string {
  return language === "diff" ? text.replaceAll(/^-.*\n/gm, "").replaceAll(/^[+ ]/gm, "") : text;
}

/** Returns the first program of a page: a block of code, a diff, or an example. */
function programOf(page: string, markdown: string, fences: readonly Fence[]) {
  const fence = fences.find((one) => isCode(one) && /^import /m.test(codeOf(one)));
  const example = /<LiveExample name="([^"]+)"/.exec(markdown);
  const isFenceFirst =
    example === null || (fence !== undefined && markdown.indexOf(fence.text) < example.index);
  if (fence !== undefined && isFenceFirst) {
    const title = titleOf(fence);
    const isPart = page.endsWith(".mdx") && title === undefined;
    const part = endless[page];
    return {
      files: [{ path: title ?? "program.mts", text: codeOf(fence) }],
      isWhole: !isPart,
      output: part === undefined ? undefined : { part },
    };
  }
  const name = example?.[1];
  if (name === undefined) return undefined;
  const whole = readFileSync(`examples/${name}.out`, "utf8");
  return { files: exampleFiles(name), isWhole: true, output: { whole } };
}

/** Returns READMEs and pages of the site. */
function pagesOf(): readonly string[] {
  return globSync([
    "README.md",
    "packages/*/README.md",
    "apps/docs/src/content/docs/**/*.mdx",
  ]).toSorted();
}

/** Imports of the programs on a page, compared with its install commands. */
export interface ShownImports {
  readonly page: string;
  /** Imported modules, such as `@listwatch/resources/core/v1`. */
  readonly modules: readonly string[];
  /** The same with the package of all layers; empty if no command installs it. */
  readonly withAllLayers: readonly string[];
  /** Imported packages that no command of the page installs. */
  readonly missing: readonly string[];
}

/** Returns the imports of all code blocks, examples and files on each page. */
export function shownImports(): readonly ShownImports[] {
  return pagesOf().map((page) => {
    const markdown = readFileSync(page, "utf8");
    const fences = fencesIn(markdown);
    const blocks = fences.filter(isCode).map((one) => ({ path: page, text: codeOf(one) }));
    const examples = [...markdown.matchAll(/<LiveExample name="([^"]+)"/g)];
    const shown = [...markdown.matchAll(/^import \w+ from "(\.[^"]+\.tsx?)\?raw";/gm)];
    const files = [
      ...blocks,
      ...examples.flatMap(([, name = ""]) => exampleFiles(name)),
      ...shown.map(([, path = ""]) => fileAt(join(dirname(page), path))),
    ];
    const installed = installedBy(fences).flat();
    return {
      page,
      modules: modulesOf(files),
      withAllLayers: installed.includes("listwatch") ? modulesOf(files.map(withAllLayers)) : [],
      missing: importsOf(files).filter((name) => !installed.includes(name)),
    };
  });
}

function fileAt(path: string): File {
  return { path, text: readFileSync(path, "utf8") };
}

/**
 * Returns the install commands of pages with an importing program. A page that installs a layer has
 * a second command for the package of all layers, for which the program's imports are rewritten.
 */
export function firstPrograms(): readonly FirstProgram[] {
  return pagesOf().flatMap((page) => {
    const markdown = readFileSync(page, "utf8");
    const fences = fencesIn(markdown);
    const program = programOf(page, markdown, fences);
    if (program === undefined) return [];
    const { files, isWhole, output } = program;
    const rewritten = files.map(withAllLayers);
    return installedBy(fences).map((packages) => ({
      page,
      packages,
      files: packages.includes("listwatch") ? rewritten : files,
      isWhole,
      output,
    }));
  });
}

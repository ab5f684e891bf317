import { globSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join } from "node:path";
import { fencesIn, titleOf, type Fence } from "../support/fences.ts";

/** An install command of a page, and the program that the page shows first. */
export interface FirstProgram {
  /** Path in the repository. */
  readonly page: string;
  /** Packages in the order of the command. */
  readonly packages: readonly string[];
  /** The program, and then the files that it imports, with their paths. */
  readonly files: readonly File[];
  /** Whether it can run, and is not a part of a program. */
  readonly isWhole: boolean;
  /** What it must print; undefined for one that only has to end well. */
  readonly output: Output | undefined;
}

export interface File {
  readonly path: string;
  readonly text: string;
}

/** All that a program prints, or what one without end prints sooner or later. */
type Output = { readonly whole: string } | { readonly part: string };

/** What the programs without end print about the objects of the cluster. */
const endless: Readonly<Record<string, string>> = {
  "README.md": "added web-0\n",
  "apps/docs/src/content/docs/coming-from/kubernetes-client-node.mdx": "added web-0\n",
  "apps/docs/src/content/docs/start/getting-started.mdx": "added web-0\n",
  "packages/client-node/README.md": "added web-0\n",
  "packages/controller/README.md": "default/web-0 ",
  "packages/listwatch/README.md": "added web-0\n",
};

const packageName = /^(?:@[^/@]+\/)?[^/@]+/;

/** The packages that each command of a page installs with npm. */
function installedBy(fences: readonly Fence[]): readonly (readonly string[])[] {
  return fences
    .filter(({ language }) => language === "sh")
    .flatMap(({ text }) => text.split("\n"))
    .filter((line) => /^npm install\s/.test(line))
    .map((line) => wordsOf(line).slice(2));
}

/** The words of a command without its options and its comment. */
function wordsOf(line: string): string[] {
  const words = line.replace(/\s#.*/, "").trim().split(/\s+/);
  return words.filter((word) => !word.startsWith("-"));
}

/** The names that a page has for packages in the commands of Deno and Bun, without the registry. */
export function otherCommands(page: string): readonly (readonly string[])[] {
  return fencesIn(readFileSync(page, "utf8"))
    .filter(({ language }) => language === "sh")
    .flatMap(({ text }) => text.split("\n"))
    .filter((line) => /^(?:deno|bun) add\s/.test(line))
    .map((line) => wordsOf(line).slice(2))
    .map((names) => names.map((name) => name.replace(/^(?:jsr|npm):/, "")));
}

/** The modules of packages that files import, such as `listwatch/node`. */
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

/** The packages that files import. */
export function importsOf(files: readonly File[]): readonly string[] {
  return [...new Set(modulesOf(files).map(packageOf))];
}

/** A program as it is written with the package of all layers. */
function withAllLayers({ path, text }: File): File {
  const known =
    /(?<=from ")@listwatch\/(client-node|fake-apiserver(?:\/\w+)?|resources\/[^"]+)(?=")/g;
  const layers = text
    .replaceAll(known, "listwatch/$1")
    .replaceAll('from "@listwatch/core-fifo/testing"', 'from "listwatch/testing"')
    .replaceAll('from "@listwatch/client/node"', 'from "listwatch/node"');
  return { path, text: layers.replaceAll(/(?<=from ")@listwatch\/[\w-]+(?=")/g, "listwatch") };
}

/** An example with the files that it imports, as the repository has them. */
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

/** The code of a block; of the changed lines of a program, what is there afterwards. */
function codeOf({ language, text }: Fence): string {
  return language === "diff" ? text.replaceAll(/^-.*\n/gm, "").replaceAll(/^[+ ]/gm, "") : text;
}

/** What a page shows first: a program in a block, the changed lines of one, or an example. */
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

/** The READMEs and the pages of the site, without the reference that is made of the sources. */
function pagesOf(): readonly string[] {
  return globSync(["README.md", "packages/*/README.md", "apps/docs/src/content/docs/**/*.mdx"])
    .filter((page) => !page.includes("/docs/api/"))
    .toSorted();
}

/** What the programs of a page import, and what its commands install. */
export interface ShownImports {
  /** Path in the repository. */
  readonly page: string;
  /** Modules as they are written, such as `@listwatch/resources/core/v1`. */
  readonly modules: readonly string[];
  /** The same where a reader takes the package of all layers; empty if no command installs it. */
  readonly withAllLayers: readonly string[];
  /** Packages that no command of the page installs. */
  readonly missing: readonly string[];
}

/** Of each page all blocks of code, the examples and the files that it shows. */
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
 * The install commands of the pages with a program that imports something. A page that installs a
 * layer has a second command for the package of all layers, with which the program is written with
 * its imports.
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

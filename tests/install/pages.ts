import { globSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { basename, dirname, join } from "node:path";
import { fencesIn, titleOf, type Fence } from "../support/fences.ts";

/** The first program of a README or page. */
export interface Program {
  readonly page: string;
  readonly file: File;
  /** Expected output; undefined if it only has to exit successfully. */
  readonly output: Output | undefined;
  /** Whether it runs in a browser's page, from whose origin it reaches the cluster. */
  readonly isForBrowser: boolean;
}

/** An install command of a page, and the page's first program. */
export interface FirstProgram extends Program {
  /** Packages, in the order of the command. */
  readonly packages: readonly string[];
}

export interface File {
  readonly path: string;
  readonly text: string;
}

/** The whole output of a program, or a part of that of one without end. */
export type Output = { readonly whole: string } | { readonly part: string };

const docs = "apps/docs/src/content/docs";

/** Output of programs without end, about the objects of the cluster. */
const endless: Readonly<Record<string, string>> = {
  "README.md": "added web-0\n",
  [`${docs}/coming-from/client-go.mdx`]: "added web-0\n",
  [`${docs}/coming-from/kubernetes-client-node.mdx`]: "added web-0\n",
  [`${docs}/coming-from/controller-runtime.mdx`]: "noted default/web\n",
  [`${docs}/coming-from/java-operator-sdk.mdx`]: "noted default/web\n",
  [`${docs}/coming-from/kopf.mdx`]: "noted default/web\n",
  [`${docs}/coming-from/kube-rs.mdx`]: "noted default/web\n",
  [`${docs}/coming-from/pepr.mdx`]: "noted default/web\n",
  [`${docs}/index.mdx`]: "added web-0\n",
  [`${docs}/operate/observability.mdx`]: '"level":"warn"',
  [`${docs}/operate/performance.mdx`]: "2 deployments\n",
  [`${docs}/operate/troubleshooting.mdx`]: "running true",
  [`${docs}/tasks/leader-election.mdx`]: "reconcile default/web\n",
  [`${docs}/tasks/manager.mdx`]: "default/web-0 ",
  [`${docs}/tasks/own-writes.mdx`]: "default/web-0 {",
  "packages/manager/README.md": "Leader is elected",
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
    /(?<=from ")@listwatch\/(client-node|(?:fake-apiserver|telemetry|webhooks)(?:\/\w+)?|streams|resources\/[^"]+)(?=")/g;
  const layers = text
    .replaceAll(known, "listwatch/$1")
    .replaceAll('from "@listwatch/core-fifo/testing"', 'from "listwatch/testing"')
    .replaceAll('from "@listwatch/client/node"', 'from "listwatch/node"');
  return { path, text: layers.replaceAll(/(?<=from ")@listwatch\/[\w-]+(?=")/g, "listwatch") };
}

function exampleFile(name: string): File {
  return { path: `${name.replaceAll("/", "-")}.ts`, text: fileText(`examples/${name}.ts`) };
}

const isCode = ({ language }: Fence): boolean => /^(?:tsx?|js|diff)$/.test(language);

/** Returns the code of a block; for a diff, the code afterwards. */
function codeOf({ language, text }: Fence): string {
  return language === "diff" ? text.replaceAll(/^-.*\n/gm, "").replaceAll(/^[+ ]/gm, "") : text;
}

/** A block of code, an example, or a file that a page shows. */
const shown = /^[ \t]*```(?:tsx?|js|diff)\b|<LiveExample name="([^"]+)"|<Code code=\{(\w+)\}/m;

/** Returns the first program of a README or page; undefined if it has none. */
export function firstProgramOf(page: string): Program | undefined {
  const markdown = fileText(page);
  const found = shown.exec(markdown);
  if (found === null) return undefined;
  const [, example, variable] = found;
  if (example !== undefined) {
    const output = { whole: fileText(`examples/${example}.out`) };
    return { page, file: exampleFile(example), output, isForBrowser: false };
  }
  const file = variable === undefined ? firstBlock(markdown) : shownFile(page, markdown, variable);
  const part = endless[page];
  return {
    page,
    file,
    output: part === undefined ? undefined : { part },
    isForBrowser: /\blocation\./.test(file.text),
  };
}

/** Returns all examples that a page shows, in its order. */
export function examplesOf(page: string): readonly Program[] {
  return [...fileText(page).matchAll(/<LiveExample name="([^"]+)"/g)].map(([, name = ""]) => ({
    page,
    file: exampleFile(name),
    output: { whole: fileText(`examples/${name}.out`) },
    isForBrowser: false,
  }));
}

/** Returns the name of the page to which the last line "Next: …" of a page leads. */
export function nextPageOf(page: string): string | undefined {
  return /^Next: \[[^\]]+\]\(\.\.\/([\w-]+)\/\)\.$/m.exec(fileText(page))?.[1];
}

function firstBlock(markdown: string): File {
  const fence = fencesIn(markdown).find(isCode)!;
  return { path: titleOf(fence) ?? "program.mts", text: codeOf(fence) };
}

/** The file that a page imports as text under a name. */
function shownFile(page: string, markdown: string, name: string): File {
  const [, path = ""] = new RegExp(`^import ${name} from "([^"?]+)\\?raw";`, "m").exec(markdown)!;
  return { path: basename(path), text: fileText(join(dirname(page), path)) };
}

function fileText(path: string): string {
  return readFileSync(path, "utf8");
}

/** Returns the pages of the site, without the generated reference. */
export function sitePages(): readonly string[] {
  return pagesOf().filter((page) => page.endsWith(".mdx"));
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
    const raw = [...markdown.matchAll(/^import \w+ from "(\.[^"]+\.tsx?)\?raw";/gm)];
    const files = [
      ...blocks,
      ...examples.map(([, name = ""]) => exampleFile(name)),
      ...raw.map(([, path = ""]) => ({ path: page, text: fileText(join(dirname(page), path)) })),
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

/**
 * Returns the install commands of pages with an importing program. A page that installs a layer has
 * a second command for the package of all layers, for which the program's imports are rewritten.
 */
export function firstPrograms(): readonly FirstProgram[] {
  return pagesOf().flatMap((page) => {
    const program = firstProgramOf(page);
    if (program === undefined) return [];
    const { file } = program;
    return installedBy(fencesIn(fileText(page))).map((packages) =>
      Object.assign({}, program, {
        packages,
        file: packages.includes("listwatch") ? withAllLayers(file) : file,
      }),
    );
  });
}

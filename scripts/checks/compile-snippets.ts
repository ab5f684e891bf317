/** Runs the compiler over the programs of pages and says its errors in lines of the pages. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pagePrograms, type Exempt } from "./snippets.ts";

export interface Page {
  readonly page: string;
  readonly markdown: string;
}

export interface CompiledSnippets {
  readonly compiled: number;
  readonly exempt: readonly (Exempt & Pick<Page, "page">)[];
  /** As `PAGE:LINE: what the compiler says`. */
  readonly problems: readonly string[];
}

/** As a user's project, for Node and with the library of the DOM, but with our sources as types. */
const compilerOptions = {
  strict: true,
  target: "es2023",
  lib: ["es2024", "esnext.disposable", "dom", "dom.iterable", "dom.asynciterable"],
  types: ["node"],
  module: "nodenext",
  customConditions: ["@listwatch/source"],
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
};

function exampleText(name: string): string {
  return readFileSync(`examples/${name}.ts`, "utf8");
}

/** Compiles what pages show, in a folder of the repository that it empties. */
export function compileSnippets(pages: readonly Page[], folder: string): CompiledSnippets {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  const origins = new Map<string, { readonly page: string; readonly lines: readonly number[] }>();
  const exempt: (Exempt & Pick<Page, "page">)[] = [];
  let compiled = 0;
  for (const { page, markdown } of pages) {
    const found = pagePrograms(markdown, exampleText, { marksParts: page.endsWith(".mdx") });
    compiled += found.compiled;
    exempt.push(...found.exempt.map((one) => ({ page, ...one })));
    for (const [index, program] of found.programs.entries()) {
      const file = `${page.replaceAll(/[^\w-]+/g, "-")}-${index}.ts`;
      writeFileSync(join(folder, file), program.map(({ text }) => `${text}\n`).join(""));
      origins.set(file, { page, lines: program.map(({ origin }) => origin) });
    }
  }
  const config = join(folder, "tsconfig.json");
  writeFileSync(config, JSON.stringify({ compilerOptions, files: [...origins.keys()] }));
  const args = ["node_modules/typescript/bin/tsc", "-p", config, "--pretty", "false"];
  const { error, status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (error !== undefined) throw error;
  const problems = stdout
    .split("\n")
    .filter((line) => /error TS\d+/.test(line))
    .map((line) => {
      const [, file = "", row = "", message = ""] =
        /([^/]+\.ts)\((\d+),\d+\): error (.*)/.exec(line) ?? [];
      const origin = origins.get(file);
      return origin === undefined
        ? line
        : `${origin.page}:${origin.lines[Number(row) - 1]}: ${message}`;
    });
  if (status !== 0 && problems.length === 0)
    problems.push(`the compiler failed: ${stdout}${stderr}`);
  return { compiled, exempt, problems };
}

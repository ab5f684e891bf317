import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Answers, UsageError, withAnswers, type Words } from "./answers.ts";

const templates = join(import.meta.dirname, "../../templates");

/** The file `template.json` of a template. */
export interface Template {
  /** Description for the usage. */
  readonly about: string;
  /** Words in its files that answers replace. */
  readonly words: Words;
  /** Commands that follow. */
  readonly next: readonly string[];
}

/** Returns the templates by name. */
export async function readTemplates(): Promise<ReadonlyMap<string, Template>> {
  const names = (await readdir(templates)).toSorted();
  const read = async (name: string): Promise<[string, Template]> => [
    name,
    JSON.parse(await readFile(join(templates, name, "template.json"), "utf8")),
  ];
  return new Map(await Promise.all(names.map(read)));
}

/**
 * Checks that a folder is empty or absent.
 *
 * @throws {UsageError} if it has files, or is one
 */
export async function checkFolder(folder: string): Promise<void> {
  let files: readonly string[];
  try {
    files = await readdir(folder);
  } catch (error) {
    const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT") return;
    if (code === "ENOTDIR") throw new UsageError(`${folder}: expected a folder, got a file`);
    throw error;
  }
  if (files.length === 0) return;
  throw new UsageError(`${folder}: expected an empty folder, got one with ${files[0]}`);
}

/**
 * Writes the files of a template into a folder.
 *
 * @returns their paths, relative to the folder
 * @throws {UsageError} if the answers cannot be used with the template; nothing is written then
 */
export async function create(
  folder: string,
  name: string,
  { words }: Template,
  answers: Answers,
): Promise<readonly string[]> {
  const files = await readFiles(join(templates, name));
  checkWords(files, words, answers);
  const listwatch = `"listwatch": "^${await version()}"`;
  const written: string[] = [];
  for (const [path, text] of files) {
    const target = withAnswers(path, words, answers).replace(/^gitignore$/, ".gitignore");
    const content = withAnswers(text, words, answers);
    await mkdir(dirname(join(folder, target)), { recursive: true });
    await writeFile(
      join(folder, target),
      target === "package.json" ? content.replace(/"listwatch": ".*"/, listwatch) : content,
    );
    written.push(target);
  }
  return written;
}

/** Returns the files of a template by path. npm leaves out a `.gitignore`, hence its other name. */
async function readFiles(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name).slice(folder.length + 1))
    .filter((path) => path !== "template.json" && !/(?:^|[/\\])node_modules[/\\]/.test(path))
    .toSorted();
  const texts = paths.map((path) => readFile(join(folder, path), "utf8"));
  return new Map((await Promise.all(texts)).map((text, index) => [paths[index] ?? "", text]));
}

/** The plural and the kind become names in the code, where other names must not be the same. */
function checkWords(files: ReadonlyMap<string, string>, words: Words, answers: Answers): void {
  if (words.kind === undefined) return;
  const code = [...files].filter(([path]) => path.endsWith(".ts")).map(([, text]) => text);
  for (const part of ["kind", "plural"] as const) {
    const word = answers[part];
    if (word === words[part] || !code.some((text) => new RegExp(`\\b${word}\\b`).test(text)))
      continue;
    throw new UsageError(
      `--${part}: expected a name that the code does not use yet, got "${word}"`,
    );
  }
}

/** Returns the version of this package, which is that of listwatch. */
export async function version(): Promise<string> {
  const file = join(import.meta.dirname, "../../package.json");
  const manifest: { readonly version: string } = JSON.parse(await readFile(file, "utf8"));
  return manifest.version;
}

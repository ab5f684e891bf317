/**
 * Fails when a package's files import against the order of its folders (`floors.json`), in a
 * circle, or from a package that they may not know: the second half of `npm run boundaries`.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkPackage, type Sources } from "./checks/floors.ts";
import { entryPointsOf, readJson } from "./workspace.ts";

interface Floors {
  readonly packages: Readonly<Record<string, readonly string[]>>;
  readonly ownImports: Readonly<Record<string, readonly string[]>>;
}

const floors = readJson("scripts/floors.json") as Floors;

function readSources(folder: string): Sources {
  const root = join("packages", folder, "src");
  const files = globSync("**/*.ts", { cwd: root }).toSorted();
  return new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));
}

let files = 0;
let failed = 0;
const folders = globSync("packages/*/src").map((path) => path.split("/")[1] ?? "");
for (const folder of folders.toSorted()) {
  const list = floors.packages[folder];
  const sources = readSources(folder);
  files += sources.size;
  const entryPoints = entryPointsOf(folder);
  const rules = { entryPoints, folders: list ?? [], ownImports: floors.ownImports[folder] };
  const problems =
    list === undefined
      ? ["scripts/floors.json has no list of its folders"]
      : checkPackage(sources, rules);
  failed += problems.length;
  for (const problem of problems) console.error(`packages/${folder}/src: ${problem}`);
}
console.log(`Imports inside packages: ${files} files, ${failed} problems`);
if (failed > 0) process.exitCode = 1;

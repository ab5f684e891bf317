/**
 * Proves the layers (`floors.json`): fails when a workspace imports a module that its package.json
 * does not declare, a file outside of it, or a package of ours that its layer may not know; and
 * when the files of a package import against the order of its folders or in a circle.
 *
 * ```
 * npm run boundaries
 * ```
 */
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { checkPackage } from "./checks/floors.ts";
import {
  foreignDependencies,
  foreignImports,
  undeclaredImports,
  type Declared,
  type Layers,
} from "./checks/layers.ts";
import { entryPointsOf, readJson } from "./workspace.ts";

const { floors, layers } = readJson("scripts/floors.json") as {
  readonly floors: Readonly<Record<string, readonly string[]>>;
  readonly layers: Layers;
};
const { workspaces } = readJson("package.json") as { readonly workspaces: readonly string[] };
let files = 0;
let failed = 0;

function readSources(root: string): Map<string, string> {
  const paths = globSync("**/*.{ts,tsx,mts,mjs,js}", {
    cwd: root,
    exclude: (path) => /(?:^|\/)(?:node_modules|dist|test-results|\.astro)$/.test(path),
  });
  return new Map(paths.toSorted().map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

function report(place: string, problems: readonly string[]): void {
  failed += problems.length;
  for (const problem of problems) console.error(`${place}: ${problem}`);
}

/** The floors of one package, and what it may know of the others. */
function checkLibrary(
  root: string,
  sources: ReadonlyMap<string, string>,
  declared: Declared,
): void {
  const folder = basename(root);
  const [folders, allowed] = [floors[folder], layers[folder]];
  if (folders === undefined || allowed === undefined) {
    report(root, ["scripts/floors.json has no list of its folders, or none of its imports"]);
    return;
  }
  const own = new Map(
    [...sources].flatMap(([path, text]) =>
      path.startsWith("src/") ? [[path.slice("src/".length), text] as const] : [],
    ),
  );
  report(`${root}/src`, checkPackage(own, { entryPoints: entryPointsOf(folder), folders }));
  report(root, [
    ...foreignImports(sources, allowed, declared),
    ...foreignDependencies(declared, layers),
  ]);
}

const manifests = globSync(workspaces.map((pattern) => join(pattern, "package.json"))).toSorted();
for (const manifest of manifests) {
  const root = dirname(manifest);
  const declared = readJson(manifest) as Declared;
  const sources = readSources(root);
  files += sources.size;
  report(root, undeclaredImports(sources, declared));
  if (root.startsWith("packages/")) checkLibrary(root, sources, declared);
}
console.log(`${files} files of ${manifests.length} workspaces, ${failed} problems`);
if (failed > 0) process.exitCode = 1;

import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Layers } from "../components/live/single-layers.ts";

interface Manifest {
  readonly exports: Readonly<Record<string, { readonly "@listwatch/source"?: string }>>;
}

/** A list of exports, with `type` if all of them are types. */
const exportList = /^export (type )?\{([^}]*)\}/gm;

/**
 * Reads from the sources which layer exports each name of `listwatch`, and which module each of its
 * sub-paths re-exports. An `index.ts` contains re-exports alone, which `npm run boundaries`
 * checks.
 */
export function readLayers(): Layers {
  const packages = join(repositoryFolder(), "packages");
  const manifest = join(packages, "listwatch/package.json");
  const { exports } = JSON.parse(readFileSync(manifest, "utf8")) as Manifest;
  const names: Record<string, string> = {};
  const modules: Record<string, string> = {};
  const types: string[] = [];
  for (const [path, { "@listwatch/source": source }] of Object.entries(exports)) {
    if (source === undefined) continue;
    const text = readFileSync(join(packages, "listwatch", source), "utf8");
    const layers = [...text.matchAll(/^export \* from "(@listwatch\/[^"]+)";$/gm)];
    for (const [, layer = ""] of layers) {
      if (path === ".") addNames(layer, names, types, packages);
      else if (isAlone(text)) modules[`listwatch${path.slice(1)}`] = layer;
    }
  }
  return { names, types, modules };
}

/** The repository, also for code that a bundler has moved. */
export function repositoryFolder(): string {
  let folder = process.cwd();
  while (!existsSync(join(folder, "packages/listwatch/package.json"))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`Cannot find the packages above ${process.cwd()}`);
    folder = parent;
  }
  return folder;
}

/** Whether a module contains one export alone. */
function isAlone(text: string): boolean {
  return text.match(/^(?:export|const|function) /gm)?.length === 1;
}

function addNames(
  layer: string,
  names: Record<string, string>,
  types: string[],
  packages: string,
): void {
  const index = join(packages, layer.replace("@listwatch/", ""), "src/index.ts");
  for (const [, type, list = ""] of readFileSync(index, "utf8").matchAll(exportList)) {
    for (const part of list.split(",").map((item) => item.trim())) {
      if (part === "") continue;
      const name = part.replace(/^type /, "").replace(/^.* as /, "");
      names[name] ??= layer;
      if (type !== undefined || part.startsWith("type ")) types.push(name);
    }
  }
}

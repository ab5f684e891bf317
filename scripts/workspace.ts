/** The packages of the workspace, as the scripts need them: the library layers from the lowest up, then the fake server. */
import { readFileSync } from "node:fs";

/** The parts of a package.json that the scripts read. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly "@listwatch/source": string }>>;
}

export interface WorkspacePackage {
  /** Name of the folder under packages/. */
  readonly folder: string;
  readonly manifest: Manifest;
  /** Sources of the entry points relative to the package, such as `src/index.ts`. */
  readonly entryPoints: readonly string[];
}

const folders = [
  "core-fifo",
  "store-indexer",
  "reflector",
  "shared-informer",
  "workqueue",
  "controller",
  "fake-apiserver",
] as const;

export function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}

export function workspacePackages(): WorkspacePackage[] {
  return folders.map((folder) => {
    const manifest = readJson(`packages/${folder}/package.json`) as Manifest;
    const entryPoints = Object.values(manifest.exports).flatMap((target) =>
      typeof target === "string" ? [] : [target["@listwatch/source"].replace("./", "")],
    );
    return { folder, manifest, entryPoints };
  });
}

/**
 * The packages of the workspace, as the scripts need them: the library layers from the lowest up,
 * then the fake server, the package with all of them, and the demo.
 */
import { readFileSync } from "node:fs";
import { basename } from "node:path";

/** The parts of a package.json that the scripts read. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
  /** Files that bundlers of pages replace, or leave out if the value is `false`. */
  readonly browser?: Readonly<Record<string, string | false>>;
  readonly exports: Readonly<Record<string, string | { readonly "@listwatch/source": string }>>;
}

export interface WorkspacePackage {
  /** Name of the folder. */
  readonly folder: string;
  /** The folder in the repository, such as `packages/client`. */
  readonly path: string;
  readonly manifest: Manifest;
  /** Sources of the entry points relative to the package, such as `src/index.ts`. */
  readonly entryPoints: readonly string[];
}

const folders = [
  "core-fifo",
  "client",
  "resources",
  "store-indexer",
  "reflector",
  "shared-informer",
  "workqueue",
  "controller",
  "telemetry",
  "manager",
  "client-node",
  "fake-apiserver",
  "testing",
  "webhooks",
  "streams",
  "listwatch",
] as const;

export function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** The files at the root of `src/` that a package exports or starts, such as `index.ts`. */
export function entryPointsOf(folder: string): string[] {
  const { bin = {}, exports } = readJson(`packages/${folder}/package.json`) as Manifest;
  const sources = Object.values(exports).map((target) =>
    typeof target === "string" ? target : target["@listwatch/source"],
  );
  const programs = Object.values(bin).map((file) => file.replace(/\.js$/, ".ts"));
  return [...sources, ...programs].map((file) => file.replace(/^\.\/(src|dist)\//, ""));
}

/** The libraries. */
export function workspacePackages(): WorkspacePackage[] {
  return folders.map((folder) => readPackage(folder, `packages/${folder}`));
}

/** The packages on npm: the libraries, the demo and `create-listwatch`, which are commands alone. */
export function publishedPackages(): WorkspacePackage[] {
  const commands = ["apps/demo", "packages/create-listwatch"];
  return [...workspacePackages(), ...commands.map((path) => readPackage(basename(path), path))];
}

function readPackage(folder: string, path: string): WorkspacePackage {
  const manifest = readJson(`${path}/package.json`) as Manifest;
  const entryPoints = Object.values(manifest.exports).flatMap((target) =>
    typeof target === "string" ? [] : [target["@listwatch/source"].replace("./", "")],
  );
  return { folder, path, manifest, entryPoints };
}

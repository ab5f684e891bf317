import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { readYaml } from "@listwatch/fake-apiserver/yaml";
import { cacheFolder } from "../../support/cache-folder.ts";
import type { Project } from "./projects.ts";

/** The documents of files. */
export interface Documents {
  readonly documents: readonly { readonly file: string; readonly value: unknown }[];
  /** Number of files with other syntax, which are templates. */
  readonly unreadable: number;
}

/** Whether this machine can download modules. */
export const hasGo: boolean = spawnSync("go", ["version"]).status === 0;

const cache = cacheFolder("real-files");
const yamlFiles = "**/*.{yaml,yml}";
/** Manifests, dumps and the parts of charts. */
const keptFiles = ["**/*.{yaml,yml,json,jsonl,tpl}", "**/templates/**", "**/chart{,s}/**"];
/** Larger files are none of these. */
const maxKeptBytes = 4 << 20;
/** Helm's templates need values, and golden files of tests are wrong on purpose. */
const excluded = ["**/{charts,templates,testdata}/**"];

/** Reads the definitions of a project: those of its module, and those written for this test. */
export function readDefinitions(project: Project): readonly unknown[] {
  const { definitions = [], fixture, module } = project;
  const released = readModule(module, { patterns: definitions }).documents;
  return [...released, ...readFixture(fixture)].map(({ value }) => value);
}

/** Reads the files of a project that may contain samples. */
export function readSamples({ fixture, module }: Project): Documents {
  // A file with definitions is that of an installation, and large.
  const isSample = (text: string): boolean => !/^kind: CustomResourceDefinition$/m.test(text);
  const { documents, unreadable } = readModule(module, {
    patterns: [yamlFiles],
    exclude: excluded,
    isWanted: isSample,
  });
  return { documents: [...documents, ...readFixture(fixture)], unreadable };
}

/** The files of a module that are read. */
interface Selection {
  readonly patterns: readonly string[];
  readonly exclude?: readonly string[];
  /** @default all texts */
  readonly isWanted?: (text: string) => boolean;
}

/** Reads the YAML files of a module, which the first run downloads. */
function readModule(module: string | undefined, selection: Selection): Documents {
  if (module === undefined || !hasGo) return { documents: [], unreadable: 0 };
  return readFiles(moduleFolder(module), selection);
}

/** The folder with the manifests of a module, which the first run downloads. Needs Go. */
export function moduleFolder(module: string): string {
  const folder = join(cache, module);
  if (!existsSync(folder)) download(module, folder);
  return folder;
}

function readFixture(fixture: string | undefined): Documents["documents"] {
  const files = fixture === undefined ? [] : [fixture];
  return readFiles(join(import.meta.dirname, "fixtures"), { patterns: files }).documents;
}

/** Leaves the sources of a module out, which take ten times the space. */
function download(module: string, folder: string): void {
  const modules = join(cache, "modules");
  const { status, stdout, stderr } = spawnSync("go", ["mod", "download", "-json", module], {
    cwd: import.meta.dirname,
    encoding: "utf8",
    env: { ...process.env, GOMODCACHE: modules, GOFLAGS: "-modcacherw" },
  });
  if (status !== 0) throw new Error(`Cannot download ${module}: ${stdout}${stderr}`);
  const { Dir: source } = JSON.parse(stdout) as { readonly Dir: string };
  // An interrupted copy must not look complete.
  const part = `${folder}.part`;
  rmSync(part, { recursive: true, force: true });
  for (const file of listFiles(source, keptFiles)) {
    if (statSync(join(source, file)).size > maxKeptBytes) continue;
    mkdirSync(dirname(join(part, file)), { recursive: true });
    copyFileSync(join(source, file), join(part, file));
  }
  renameSync(part, folder);
  rmSync(modules, { recursive: true, force: true });
}

function readFiles(
  folder: string,
  { exclude = [], isWanted = () => true, patterns }: Selection,
): Documents {
  const documents: Documents["documents"][number][] = [];
  let unreadable = 0;
  for (const file of listFiles(folder, patterns, exclude)) {
    const text = readFileSync(join(folder, file), "utf8");
    try {
      if (isWanted(text)) for (const value of readYaml(text)) documents.push({ file, value });
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      unreadable++;
    }
  }
  return { documents, unreadable };
}

/** The files of a folder that match patterns, sorted. */
export function listFiles(
  folder: string,
  patterns: readonly string[],
  exclude: readonly string[] = [],
): readonly string[] {
  const files = globSync([...patterns], { cwd: folder, exclude }).toSorted();
  // A folder may have such a name.
  return files.filter((file) => statSync(join(folder, file)).isFile());
}

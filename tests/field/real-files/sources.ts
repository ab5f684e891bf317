import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { cacheFolder } from "../../support/cache-folder.ts";
import { projects } from "../custom-resources/projects.ts";
import { listFiles, moduleFolder } from "../custom-resources/released-files.ts";

/** The class of a file in a release. */
export type FileClass = "definitions" | "samples" | "charts" | "dumps";

/** A file of a release. */
export interface RealFile {
  readonly class: FileClass;
  /** Where it is in its module, with the module's name and version in front. */
  readonly name: string;
  readonly path: string;
}

/** A release with files: of a project with custom resources, or of a tool that reads manifests. */
interface Release {
  readonly module: string;
  readonly definitions: readonly string[];
}

const tools: readonly string[] = [
  // Their tests read dumps of clusters.
  "github.com/derailed/k9s@v0.50.16",
  "github.com/replicatedhq/troubleshoot@v0.133.0",
];

/** The releases whose files are tried. */
export const releases: readonly Release[] = [
  ...projects.flatMap(({ definitions = [], module }) =>
    module === undefined ? [] : [{ module, definitions }],
  ),
  ...tools.map((module) => ({ module, definitions: [] })),
];

/** Files that no tool sends to a server: settings of builds and charts, wrong or unfinished ones. */
const excluded = [
  "**/{.github,.gitlab,.circleci,node_modules,assets,hack,_schemas,__snapshot__}/**",
  // Inputs that a program should refuse, and the parts and results of kustomize.
  "**/*{invalid,patch,overlay,kustomiz}*{,/**}",
  "**/{charts,chart,templates,install/kubernetes,kwok/charts}/**",
  "**/*{values,golden,mkdocs,swagger,openapi,schema}*.{yaml,yml,json}",
];

/** Returns the files of a release, with its charts as helm renders them. Needs Go. */
export function filesOf({ definitions, module }: Release, helm: string | undefined): RealFile[] {
  const folder = moduleFolder(module);
  const name = (file: string): string => `${module}/${file}`;
  const own = new Set(listFiles(folder, definitions));
  const files: RealFile[] = Array.from(own, (file) => ({
    class: "definitions",
    name: name(file),
    path: join(folder, file),
  }));
  for (const file of listFiles(folder, ["**/*.{yaml,yml,json,jsonl}"], excluded)) {
    if (own.has(file)) continue;
    const path = join(folder, file);
    const text = readFileSync(path, "utf8");
    if (!/\bapiVersion\b/.test(text) || !/\bkind\b/.test(text)) continue;
    if (isDump(text)) files.push({ class: "dumps", name: name(file), path });
    else if (!isOfTest(file)) files.push({ class: "samples", name: name(file), path });
  }
  if (helm === undefined) return files;
  for (const chart of chartsIn(folder)) {
    const path = render(helm, module, folder, chart);
    if (path !== undefined) files.push({ class: "charts", name: name(chart), path });
  }
  return files;
}

/** Tests have half objects, wrong ones and such with placeholders. */
function isOfTest(file: string): boolean {
  return /(?:^|\/)(?:_?testdata|tests?|fixtures|e2e|snippets|contrib)\//.test(file);
}

/** A server gives uids, and no person writes them. */
function isDump(text: string): boolean {
  return /^\s*"?uid"?: "?[0-9a-f]{8}-[0-9a-f]{4}-/m.test(text);
}

/** The charts of a folder that are not parts of others. */
function chartsIn(folder: string): readonly string[] {
  const all = listFiles(folder, ["**/Chart.yaml"], ["**/testdata/**"]).map((file) => dirname(file));
  return all.filter((chart) => !all.some((other) => chart.startsWith(`${other}/`)));
}

/** Returns the file with the objects of a chart; undefined for one that needs values or charts. */
function render(helm: string, module: string, folder: string, chart: string): string | undefined {
  const file = join(cacheFolder("real-files"), "rendered", module, `${chart}.yaml`);
  if (existsSync(file)) return file;
  const args = ["template", basename(chart), join(folder, chart), "--include-crds"];
  const { status, stdout } = spawnSync(helm, [...args, "--kube-version", "1.37.2"], {
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  if (status !== 0) return undefined;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, stdout);
  return file;
}

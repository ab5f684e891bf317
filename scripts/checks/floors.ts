/** The rules of ARCHITECTURE.md ("Floors inside a package") for the sources of one package. */
import { posix } from "node:path";
import { importsOf } from "./imports.ts";

/** The sources of a package: their text by their path below `src/`, such as `queues/fifo.ts`. */
export type Sources = ReadonlyMap<string, string>;

export interface FloorRules {
  /** The files at the root, which import all: what package.json exports or starts. */
  readonly entryPoints: readonly string[];
  /** The folders, lowest first: a file imports its own folder and those before it. */
  readonly folders: readonly string[];
}

function folderOf(path: string): string | undefined {
  const slash = path.indexOf("/");
  return slash < 0 ? undefined : path.slice(0, slash);
}

function graphOf(sources: Sources): Map<string, string[]> {
  const graph = new Map<string, string[]>();
  for (const [path, text] of sources) {
    const targets = importsOf(text)
      .filter(({ name }) => name.startsWith("."))
      .map(({ name }) => posix.join(posix.dirname(path), name));
    graph.set(path, [...new Set(targets)]);
  }
  return graph;
}

/** Every upward import, every file outside the folders, and every import of a root file. */
export function upwardImports(sources: Sources, rules: FloorRules): string[] {
  const { entryPoints, folders } = rules;
  const problems: string[] = [];
  const rank = new Map(folders.map((folder, index) => [folder, index]));
  const unlisted = new Set<string>();
  for (const [path, targets] of graphOf(sources)) {
    const folder = folderOf(path);
    if (folder === undefined) {
      if (!entryPoints.includes(path)) problems.push(`${path} is in no folder, and no entry point`);
      continue;
    }
    const floor = rank.get(folder);
    if (floor === undefined) {
      unlisted.add(folder);
      continue;
    }
    for (const target of targets) {
      const other = folderOf(target);
      if (other === undefined) {
        problems.push(`${path} imports the root file ${target}`);
      } else if ((rank.get(other) ?? Infinity) > floor) {
        problems.push(`${path} imports upward: ${target}`);
      }
    }
  }
  for (const folder of unlisted) {
    problems.push(`The folder ${folder}/ is not in the list (${folders.join(", ")})`);
  }
  return problems;
}

/** The circles of files that import each other, types included; each circle once. */
export function circles(sources: Sources): string[] {
  const graph = graphOf(sources);
  const done = new Set<string>();
  const path: string[] = [];
  const problems: string[] = [];
  const visit = (file: string): void => {
    const at = path.indexOf(file);
    if (at >= 0) {
      problems.push(`Circle of imports: ${[...path.slice(at), file].join(" → ")}`);
      return;
    }
    if (done.has(file)) return;
    path.push(file);
    for (const next of graph.get(file) ?? []) visit(next);
    path.pop();
    done.add(file);
  };
  for (const file of graph.keys()) visit(file);
  return problems;
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/(^|\s)\/\/[^\n]*/g, "$1");
}

/** The first line of `index.ts` that is not a re-export. */
function indexProblems(sources: Sources): string[] {
  const rest = withoutComments(sources.get("index.ts") ?? "")
    .replaceAll(/export\s+(?:type\s+)?(?:\*(?:\s+as\s+\w+)?|\{[^}]*\})\s*from\s*"[^"]+";/g, "")
    .trim();
  const [line = ""] = rest.split("\n");
  return rest === "" ? [] : [`index.ts has more than re-exports: ${line}`];
}

/** All problems of a package. */
export function checkPackage(sources: Sources, rules: FloorRules): string[] {
  return [...upwardImports(sources, rules), ...circles(sources), ...indexProblems(sources)];
}

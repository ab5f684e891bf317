/**
 * Determines which modules an import of a built module loads, and how long it takes: measured in
 * separate processes of Node.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The files behind one import, the packages it depends on included. */
export interface EagerModules {
  readonly files: readonly string[];
  readonly bytes: number;
}

const listFiles = `
import { registerHooks } from "node:module";
const urls = [];
registerHooks({
  load(url, context, nextLoad) {
    urls.push(url);
    return nextLoad(url, context);
  },
});
await import(process.argv[1]);
console.log(JSON.stringify(urls));
`;

/** Lists the files that Node loads for `import(url)`. What is imported later does not count. */
export function eagerModules(url: string): EagerModules {
  const urls = JSON.parse(evaluate(listFiles, url)) as readonly string[];
  const files = urls.filter((each) => each.startsWith("file:")).map((each) => fileURLToPath(each));
  return { files, bytes: files.reduce((sum, file) => sum + readFileSync(file).length, 0) };
}

const timeImport = `
const started = performance.now();
await import(process.argv[1]);
console.log(performance.now() - started);
`;

const runs = 9;

/** The median of the milliseconds that `import(url)` takes in nine fresh processes. */
export function importMs(url: string): number {
  const times = Array.from({ length: runs }, () => Number(evaluate(timeImport, url)));
  return times.toSorted((left, right) => left - right)[Math.floor(runs / 2)] ?? Number.NaN;
}

function evaluate(program: string, url: string): string {
  return execFileSync("node", ["--input-type=module", "--eval", program, url], {
    encoding: "utf8",
  });
}

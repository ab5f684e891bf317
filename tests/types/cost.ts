/**
 * Measures what the types of Kubernetes' kinds cost a compiler: time, memory and files of programs
 * with none of them, with five and with all. Also measures the longest of ten common hovers. Fails
 * if five kinds cost more than 15 % of time or 5 MB (TYP-6), or a hover is longer than a line.
 *
 * ```
 * npm run test:field -- types-cost
 * ```
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readJson, type Manifest } from "../../scripts/workspace.ts";
import { hoversOf } from "./hovers.ts";

const folder = "test-results/types-cost";
const compiler = "node_modules/typescript/bin/tsc";
/** Range of rounds: on a busy machine the median needs more; it stops when five kinds pass. */
const leastRounds = 15;
const mostRounds = 60;
const allowedRatio = 1.15;
const allowedKilobytes = 5 * 1024;
const longestHover = 200;

const { exports } = readJson("packages/resources/package.json") as Manifest;
const modules = Object.keys(exports)
  .filter((path) => /\/v\d\w*$/.test(path))
  .map((path) => `@listwatch/resources${path.slice(1)}`);

const programs = {
  none: "export {};\n",
  five: `
    import { configmaps, pods, services } from "@listwatch/resources/core/v1";
    import { deployments } from "@listwatch/resources/apps/v1";
    import { jobs } from "@listwatch/resources/batch/v1";
    export const kinds: readonly unknown[] = [configmaps, pods, services, deployments, jobs];
  `,
  all: modules.map((name, index) => `export * as m${index} from "${name}";\n`).join(""),
} as const;
type Program = keyof typeof programs;
const names = ["none", "five", "all"] as const satisfies readonly Program[];

interface Cost {
  /** Wall times of the rounds. */
  readonly ms: number[];
  kilobytes: number;
  files: number;
}

const compilerOptions = {
  strict: true,
  target: "es2023",
  lib: ["es2023", "esnext.disposable"],
  module: "nodenext",
  skipLibCheck: true,
  noEmit: true,
  types: [],
};

function compile(name: Program, cost: Cost): void {
  const args = [compiler, "-p", join(folder, `${name}.json`), "--extendedDiagnostics"];
  const started = performance.now();
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8" });
  cost.ms.push(performance.now() - started);
  if (status !== 0) throw new Error(stdout);
  const figure = (label: string): number =>
    Number(new RegExp(`^${label}:\\s+(\\d+)`, "m").exec(stdout)?.[1]);
  cost.kilobytes = figure("Memory used");
  cost.files = figure("Files");
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

function fits(what: string, value: number, limit: number): boolean {
  const within = value <= limit;
  console.log(`${within ? "ok" : "over"}\t${what}: ${value.toFixed(2)} of ${limit}`);
  return within;
}

mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
for (const name of names) {
  writeFileSync(join(folder, `${name}.ts`), programs[name]);
  const config = { compilerOptions, files: [`${name}.ts`] };
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(config));
}
const costs: Readonly<Record<Program, Cost>> = {
  none: { ms: [], kilobytes: 0, files: 0 },
  five: { ms: [], kilobytes: 0, files: 0 },
  all: { ms: [], kilobytes: 0, files: 0 },
};
let ratio = Infinity;
for (let round = 0; round < mostRounds; round++) {
  if (round >= leastRounds && ratio <= allowedRatio) break;
  for (const name of names) compile(name, costs[name]);
  ratio = median(costs.five.ms) / median(costs.none.ms);
}
console.log("kinds\ttime\tmemory\tfiles");
for (const name of names) {
  const { files, kilobytes, ms } = costs[name];
  console.log(
    `${name}\t${median(ms).toFixed(0)} ms\t${(kilobytes / 1024).toFixed(1)} MB\t${files}`,
  );
}
const added = costs.five.kilobytes - costs.none.kilobytes;
const hovers = hoversOf(join(folder, "hovers.ts"));
for (const { expression, text } of hovers) console.log(`${text.length}\t${expression}\t${text}`);
const results = [
  fits("time of five kinds to that of none", ratio, allowedRatio),
  fits("kilobytes of five kinds more than of none", added, allowedKilobytes),
  fits("longest hover", Math.max(...hovers.map(({ text }) => text.length)), longestHover),
];
const passed = results.filter(Boolean).length;
console.log(`${passed} passed, ${results.length - passed} failed`);
process.exitCode = passed === results.length ? 0 : 1;

/**
 * Writes the figures that are the same on every machine into `apps/docs/src/data/figures.json`:
 * recordings of client-go that agree, faults of the reflector's matrix, the limit of the bundle,
 * lines of operators. With `--check`, fails if the file differs. `npm run bench:peers -- --write`
 * writes the measured ones.
 */
import { readdirSync, readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
// @boundaries-ignore the counts are those of the command that replays the recordings
import { differences } from "../../conformance/differences.ts";
// @boundaries-ignore the counts are those of the command that replays the recordings
import { replay } from "../../conformance/framework/report.ts";
// @boundaries-ignore the counts are those of the command that replays the recordings
import type { TraceFile } from "../../conformance/framework/unit.ts";
// @boundaries-ignore the counts are those of the command that replays the recordings
import { units } from "../../conformance/units/index.ts";
import { readFigures, writeFigures, type Figures } from "./file.ts";

const traces = "conformance/traces";

async function recordings(): Promise<Figures["recordings"]> {
  let [cases, steps, differentCases] = [0, 0, 0];
  for (const fileName of readdirSync(traces).toSorted()) {
    if (!fileName.endsWith(".json")) continue;
    const file = JSON.parse(readFileSync(`${traces}/${fileName}`, "utf8")) as TraceFile;
    const load = units[file.unit ?? file.subject ?? fileName.replace(".json", "")];
    if (load === undefined) continue;
    const { different, failed, stale } = await replay((await load()).unit, file, differences);
    if (failed.length + stale.length > 0) throw new Error(`${fileName} fails: npm run conformance`);
    const left = new Set(different.map(({ name }) => name));
    const agreeing = file.cases.filter(({ name }) => !left.has(name));
    cases += agreeing.length;
    steps += agreeing.reduce((sum, caseData) => sum + stepsOf(caseData).length, 0);
    differentCases += left.size;
  }
  const recorded = "client-go 0.36";
  return { command: "npm run conformance", recorded, cases, steps, differentCases };
}

/** Units and informers name their steps differently. */
function stepsOf({ script, steps = script }: TraceFile["cases"][number]): readonly unknown[] {
  if (!Array.isArray(steps)) throw new Error("Expected a case with steps or a script");
  return steps;
}

/** The tests of the reflector compare the matrix with their runs. */
function faults(): Figures["faults"] {
  const lines = readFileSync("packages/reflector/FAULT-MATRIX.md", "utf8").split("\n");
  const [head = [], , ...rows] = lines
    .filter((line) => line.startsWith("|"))
    .map((line) => line.split("|").slice(2, -1));
  const runs = rows.flat().filter((cell) => cell.trim() !== "–").length;
  const command = "npm test -- fault-matrix";
  return { command, faults: rows.length, moments: head.length, runs };
}

function bundle(): Figures["bundle"] {
  const budgets = JSON.parse(readFileSync("scripts/size-budgets.json", "utf8")) as Readonly<
    Record<string, { readonly bytes: number }>
  >;
  const { bytes = Number.NaN } = budgets["a SharedInformer with its HTTP source"] ?? {};
  return { command: "npm run size", kb: bytes / 1000 };
}

/** Lines of programs that do the same, without empty ones and comments. */
function operators(): Figures["operators"] {
  const folder = "bench/peers/operators";
  const files = {
    listwatch: "listwatch.ts",
    controllerRuntime: "go/main.go",
    kubeRs: "rust/main.rs",
    pepr: "pepr/pepr.ts.txt",
    kopf: "python/notes.py",
    javaOperatorSdk: "java/JavaOperatorSdk.java",
  };
  const lines = Object.entries(files).map(([tool, file]) => {
    const all = readFileSync(`${folder}/${file}`, "utf8").split("\n");
    return [tool, all.filter((line) => !/^\s*(?:\/\/.*|# .*)?$/.test(line)).length];
  });
  return { command: "npm run gen -- figures", lines: Object.fromEntries(lines) };
}

const counted = {
  recordings: await recordings(),
  faults: faults(),
  bundle: bundle(),
  operators: operators(),
};
if (!process.argv.includes("--check")) {
  writeFigures(counted);
} else {
  const written = readFigures();
  for (const [name, part] of Object.entries(counted)) {
    if (isDeepStrictEqual(Reflect.get(written, name), part)) continue;
    console.error(`figures.json: ${name} is out of date: run npm run gen -- figures`);
    process.exitCode = 1;
  }
}

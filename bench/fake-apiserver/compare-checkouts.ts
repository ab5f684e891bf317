// Compares the fake API server of this checkout with that of another one, verb by verb:
// node bench/fake-apiserver/compare-checkouts.ts FOLDER [TURNS]
import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";

const [folder, turns = "9"] = process.argv.slice(2);
if (folder === undefined) throw new Error("Expected the folder of another checkout");
const here = resolve(import.meta.dirname, "../..");
const other = resolve(folder);

type Figures = Readonly<Record<string, number>>;

/** The costs of each verb, measured in a process of its own. */
function measure(checkout: string): Figures {
  const program = join(import.meta.dirname, "verbs.ts");
  const args = ["--conditions=@listwatch/source", program, checkout];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" })) as Figures;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

const all: { readonly ours: Figures; readonly theirs: Figures }[] = [];
for (let turn = 0; turn < Number(turns); turn++) {
  // The order changes, so that a machine that becomes slower favours neither.
  const first = measure(turn % 2 === 0 ? other : here);
  const second = measure(turn % 2 === 0 ? here : other);
  all.push(turn % 2 === 0 ? { ours: second, theirs: first } : { ours: first, theirs: second });
}
console.log("µs of processor time per object, medians of the turns\n");
for (const verb of Object.keys(all[0]?.ours ?? {})) {
  const ours = median(all.map((turn) => turn.ours[verb] ?? Number.NaN));
  const theirs = median(all.map((turn) => turn.theirs[verb] ?? Number.NaN));
  const ratio = (ours / theirs).toFixed(3);
  console.log(`${verb.padEnd(12)} ${theirs.toFixed(1)} → ${ours.toFixed(1)}\t× ${ratio}`);
}

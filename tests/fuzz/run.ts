// Searches for faults with random inputs, 20 s per target by default:
//
//   npm run fuzz -- [TARGET...] [--minutes N | --inputs N] [--seed S]
//
// A found input is minimized, printed, and saved in tests/fuzz/cases, which the tests replay.
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { keepCase } from "./known-cases.ts";
import { search } from "./search.ts";
import type { AnyTarget } from "./target.ts";
import { targets } from "./targets/index.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    inputs: { type: "string" },
    minutes: { type: "string" },
    seed: { type: "string" },
  },
});
/** Inputs for each target; as many as the time allows when it is undefined. */
const count = values.inputs === undefined ? undefined : Number(values.inputs);
const seconds = values.minutes === undefined ? 20 : Number(values.minutes) * 60;
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed);
const names = targets.map(({ name }) => name);
const isUnknown = positionals.some((name) => !names.includes(name));
const chosen = targets.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const isCountWrong = count !== undefined && !(count > 0);
if (isUnknown || isCountWrong || !(seconds > 0) || !Number.isSafeInteger(seed)) {
  console.error("npm run fuzz -- [TARGET...] [--minutes N | --inputs N] [--seed S]");
  console.error("where TARGET is one of");
  console.error(names.join(" "));
  process.exit(2);
}

async function fuzz(target: AnyTarget): Promise<boolean> {
  const endMs = performance.now() + seconds * 1000;
  const isOver = (tried: number): boolean =>
    count === undefined ? performance.now() >= endMs : tried >= count;
  const { inputs, found } = await search(target, seed, isOver);
  await target.close?.();
  if (found === undefined) {
    console.log(`ok   ${target.name}: ${inputs} inputs`);
    return true;
  }
  const fault = found.error instanceof Error ? found.error.message : String(found.error);
  const file = await keepCase(target.name, { fault, input: found.input });
  console.log(`FAIL ${target.name}: ${inputs} inputs, made smaller ${found.shrinks} times`);
  console.log(`     ${JSON.stringify(found.input)}`);
  console.log(`     ${fault}`);
  console.log(`     kept in ${file}; again: npm run fuzz -- ${target.name} --seed ${seed}`);
  return false;
}

/** Searches a target in a separate process, and prints its output at the end. */
async function fuzzApart({ name }: AnyTarget): Promise<boolean> {
  const limit = count === undefined ? ["--minutes", seconds / 60] : ["--inputs", count];
  const options = [...limit, "--seed", seed].map(String);
  const args = [...process.execArgv, import.meta.filename, name, ...options];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const lines: string[] = [];
  createInterface(child.stdout).on("line", (line) => lines.push(line));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  // Without the seed and the counts, which are printed once for all targets.
  const said = lines.filter((line) => /^(ok|FAIL| {5})/.test(line));
  if (said.length === 0) said.push(`FAIL ${name}: ended with code ${String(code)}`);
  console.log(said.join("\n"));
  return code === 0;
}

/** Searches all targets, one per processor at a time. */
async function fuzzAll(): Promise<number> {
  const waiting = [...chosen];
  let right = 0;
  const work = async (): Promise<void> => {
    for (let target = waiting.shift(); target !== undefined; target = waiting.shift()) {
      if (await fuzzApart(target)) right++;
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return right;
}

const length = count === undefined ? `${seconds} s` : `${count} inputs`;
console.log(`seed ${seed}, ${length} for each target`);
const [only] = chosen;
const passed =
  only !== undefined && chosen.length === 1 ? Number(await fuzz(only)) : await fuzzAll();
console.log(`${passed} passed, ${chosen.length - passed} failed`);
process.exitCode = passed === chosen.length ? 0 : 1;

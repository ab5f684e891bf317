// Runs benchmarks: npm run bench -- [SUITE...] [--json FILE] [--only TEXT]
// With BENCH_RUNTIME=deno or bun the informers of the reflector suite run there.
import { writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { measure, type Result } from "./framework/measure.ts";
import { line, table } from "./framework/table.ts";
import { suites } from "./suites.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "string" }, only: { type: "string", default: "" } },
});

const unknown = positionals.find((name) => !Object.hasOwn(suites, name));
if (unknown !== undefined) {
  console.error(`There is no suite ${unknown}: expected one of ${Object.keys(suites).join(", ")}`);
  process.exit(1);
}

const results: Result[] = [];
for (const name of positionals.length === 0 ? Object.keys(suites) : positionals) {
  const load = suites[name];
  if (load === undefined) continue;
  const { suite } = await load();
  for (const benchmark of await suite.benchmarks()) {
    if (!benchmark.name.includes(values.only)) continue;
    try {
      const result = await measure(suite.name, benchmark);
      results.push(result);
      console.log(line(result));
    } catch (error) {
      // The results of the others are still useful.
      console.error(error);
      process.exitCode = 1;
    }
  }
}

const informers = process.env["BENCH_RUNTIME"];
const machine = {
  runtime: `Node ${process.version}${informers === undefined ? "" : `, informers in ${informers}`}`,
  processor: cpus()[0]?.model ?? "unknown",
  platform: `${process.platform}-${process.arch}`,
};
console.log(`${machine.runtime}, ${machine.processor}, ${machine.platform}`);
console.log(
  "Ratio = yardstick / subject, median of the rounds (least–greatest): above 1 the subject costs less\n",
);
console.log(table(results));
if (values.json !== undefined) {
  await writeFile(values.json, `${JSON.stringify({ machine, results }, undefined, 2)}\n`);
}

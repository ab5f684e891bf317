// Parses what the registry writes with the parser of Prometheus' library for Python, which pip
// installs below the cache folder.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { knownMetrics, PrometheusRegistry } from "@listwatch/telemetry";

interface Family {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: readonly (readonly [
    name: string,
    labels: Readonly<Record<string, string>>,
    value: number,
  ])[];
}

const folder = join(import.meta.dirname, "metrics");
const environment = join(homedir(), ".cache/listwatch/metrics");
const python = join(environment, "bin/python");
if (!existsSync(python)) {
  execFileSync("python3", ["-m", "venv", environment], { stdio: "inherit" });
  const list = join(folder, "requirements.txt");
  execFileSync(python, ["-m", "pip", "install", "--quiet", "--require-hashes", "-r", list]);
}

const label = 'a "quoted" \\ value\nof two lines';
const registry = new PrometheusRegistry();
for (const metric of knownMetrics) {
  const values = metric.labels.map(() => label);
  if (metric.type === "counter")
    registry
      .counter(metric)(...values)
      .inc();
  else if (metric.type === "gauge")
    registry
      .gauge(metric)(...values)
      .set(1.5);
  else
    registry
      .histogram(metric)(...values)
      .observe(0.02);
}
const output = execFileSync(python, [join(folder, "parse.py")], {
  input: registry.write(),
  encoding: "utf8",
});
const families = output
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Family);

let passed = 0;
let failed = 0;
for (const { buckets = [], help, labels, name, type } of knownMetrics) {
  try {
    // The parser cuts the suffix of counters.
    const family = families.find((each) => each.name === name.replace(/_total$/, ""));
    assert.equal(family?.type, type);
    assert.equal(family.help, help);
    for (const [, found] of family.samples) {
      for (const each of labels) assert.equal(found[each], label);
    }
    const count = type === "histogram" ? buckets.length + 3 : 1;
    assert.equal(family.samples.length, count);
    passed++;
  } catch (error) {
    failed++;
    console.error(`FAILED ${name}: ${String(error)}`);
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

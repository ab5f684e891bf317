// Replays recorded behaviour: npm run conformance -- [--dir FOLDER] [--unit NAME]...
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { differences } from "./differences.ts";
import { describe, replay } from "./framework/report.ts";
import type { TraceFile } from "./framework/unit.ts";
import { isRecord } from "./framework/values.ts";
import { units } from "./units/index.ts";

const publicTraces = join(import.meta.dirname, "traces");
const { values } = parseArgs({
  options: {
    dir: { type: "string", default: publicTraces },
    unit: { type: "string", multiple: true },
  },
});

const wanted = new Set(values.unit);
let passed = 0;
let failed = 0;
for (const fileName of await fileNames(values.dir)) {
  if (!fileName.endsWith(".json")) continue;
  const name = fileName.slice(0, -".json".length);
  if (values.unit !== undefined && !wanted.delete(name)) continue;
  const file: unknown = JSON.parse(await readFile(join(values.dir, fileName), "utf8"));
  if (!isTraceFile(file)) continue;
  const unitName = file.unit ?? file.subject ?? name;
  const load = units[unitName];
  if (load === undefined) {
    console.log(`no replayer: ${unitName} (${file.cases.length} cases)`);
    continue;
  }
  try {
    const replayed = await replay((await load()).unit, file, differences);
    // The list of differences is for the public traces; others may not need all of it.
    const report = values.dir === publicTraces ? replayed : { ...replayed, stale: [] };
    passed += report.passed;
    failed += report.failed.length + report.stale.length;
    console.log(describe(report).join("\n"));
  } catch (error) {
    failed += file.cases.length;
    console.log(`${unitName}: ${file.cases.length} failed, the replayer broke:`, error);
  }
}
for (const name of wanted) {
  failed += 1;
  console.log(`no traces: ${name} in ${values.dir}`);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

async function fileNames(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch (error) {
    console.error(`--dir: couldn't read the folder: ${String(error)}`);
    return process.exit(1);
  }
}

function isTraceFile(value: unknown): value is TraceFile {
  return isRecord(value) && Array.isArray(value["cases"]);
}

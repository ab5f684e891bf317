// Compares the protobuf decoder with Go for many random objects of all kinds. Each run has other
// objects, unlike the unit tests:
//
//   node tests/field/protobuf.ts [--count N] [--seed S]
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { isDeepStrictEqual, parseArgs } from "node:util";
import {
  decodeWatch,
  frame,
  protobufDecoder,
  readSamples,
  type Sample,
} from "../../packages/client/test/protobuf/samples.ts";

const { values } = parseArgs({
  options: { count: { type: "string", default: "50" }, seed: { type: "string" } },
});
const first = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
/** Each is a separate run of the generator, so that its output fits into memory. */
const runs = 20;
const folder = join(import.meta.dirname, "../../scripts/schemas");
const maxBuffer = 256 * 2 ** 20;
const decoder = protobufDecoder();

function isAsPrinted({ kind, message, json }: Sample): boolean {
  const [event] = decodeWatch(frame("ADDED", kind, message), decoder);
  const slash = kind.lastIndexOf("/");
  const type = { kind: kind.slice(slash + 1), apiVersion: kind.slice(0, slash) };
  const printed = { ...type, ...(JSON.parse(json) as object) };
  return isDeepStrictEqual(structuredClone({ ...(event?.object as object) }), printed);
}

if (spawnSync("go", ["version"]).status === 0) {
  let passed = 0;
  let failed = 0;
  for (let seed = first; seed < first + runs; seed++) {
    const options = ["--count", values.count, "--seed", String(seed), "--density", "0.8"];
    const { status, stdout, stderr } = spawnSync("go", ["run", ".", "samples", ...options], {
      cwd: folder,
      maxBuffer,
    });
    if (status !== 0) throw new Error(`Cannot make samples: ${stderr.toString()}`);
    for (const sample of readSamples(stdout)) {
      if (isAsPrinted(sample)) passed++;
      else {
        failed++;
        console.log(`FAIL ${sample.kind} of the seed ${seed}: ${sample.json.slice(0, 500)}`);
      }
    }
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
} else {
  console.log("not on this machine: Go, and so no other objects in protobuf");
  console.log("0 passed, 0 failed");
}

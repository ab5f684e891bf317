// Compiles samples of well-known projects against the types that the generator makes of their
// definitions. The files are those of released Go modules, which are kept outside of the tree, and
// small ones in `custom-resources/fixtures`. An object that a fake API server refuses is not a
// sample; `--refused` prints these.
//
//   node tests/field/custom-resources.ts [--refused] [PROJECT...]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { describeError, isRecord, recordOf } from "@listwatch/core-fifo/base";
import { CustomResources, type AnyObject } from "./custom-resources/custom-resources.ts";
import { projects, type Project } from "./custom-resources/projects.ts";
import { hasGo, readDefinitions, readSamples } from "./custom-resources/released-files.ts";
import { compile, withoutIgnoredNulls, type Sample } from "./custom-resources/typed-samples.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { refused: { type: "boolean", default: false } },
});
const leastSamples = 200;
if (!hasGo) console.log("not on this machine: Go, and so the released files of projects");
const wanted = projects.filter(
  ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
);
const folder = mkdtempSync(join(tmpdir(), "listwatch-custom-resources-"));
const resources = new CustomResources(folder);
const programs = new Map<string, Sample[]>();
const left = { refused: 0, other: 0, unreadable: 0 };
const seen = new Set<string>();

/** Returns the sample of an object, unless a server refuses it or does not have its kind. */
async function sampleOf(
  project: string,
  file: string,
  object: AnyObject,
): Promise<Sample | undefined> {
  const text = JSON.stringify(object);
  if (seen.has(text)) return undefined;
  seen.add(text);
  const handle = resources.handleFor(object);
  if (handle === undefined) {
    left.other++;
    return undefined;
  }
  try {
    const stored = await resources.create(handle, object);
    return { project, file, handle, object: recordOf(withoutIgnoredNulls(object, stored)) };
  } catch (error) {
    left.refused++;
    if (values.refused) {
      console.log(`refused ${project}, ${file}, ${handle.resource.kind}: ${describeError(error)}`);
    }
    return undefined;
  }
}

async function collect(project: Project): Promise<void> {
  const { documents, unreadable } = readSamples(project);
  left.unreadable += unreadable;
  const found: Sample[] = [];
  for (const { file, value } of documents) {
    for (const object of itemsOf(value)) {
      const sample = await sampleOf(project.name, file, object);
      if (sample !== undefined) found.push(sample);
    }
  }
  console.log(`${found.length} samples of ${project.name}`);
  if (found.length > 0) programs.set(`samples-${programs.size}.ts`, found);
}

function itemsOf(value: unknown): readonly AnyObject[] {
  const { items, kind } = recordOf(value);
  const isList = kind === "List" && Array.isArray(items);
  return (isList ? items : [value]).filter((item: unknown) => isRecord(item));
}

for (const [index, project] of wanted.entries()) {
  await resources.add(`definitions-${index}.ts`, readDefinitions(project));
}
// A project may have samples of another one's kinds.
for (const project of wanted) await collect(project);
const errors = compile(folder, programs);
for (const [{ file, handle, project }, messages] of errors) {
  console.log(`FAIL ${project}, ${file}, ${handle.resource.kind}: ${messages.join("\n")}`);
}
console.log(
  `${programs.size} projects, ${resources.size} kinds. Left out: ${left.refused} objects that a ` +
    `server refuses, ${left.other} of other kinds, ${left.unreadable} templates`,
);
const total = [...programs.values()].flat().length;
// A release may move its files.
const isSmall = hasGo && wanted.length === projects.length && total < leastSamples;
if (isSmall) console.log(`FAIL: expected ${leastSamples} samples, got ${total}`);
const failed = errors.size + (isSmall ? 1 : 0);
console.log(`${total - errors.size} passed, ${failed} failed`);
rmSync(folder, { recursive: true });
process.exitCode = failed === 0 ? 0 : 1;

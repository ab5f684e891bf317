import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { describeError, metadataOf, type JsonObject } from "@listwatch/core-fifo/base";
import type { RecordedChange, Recording, RecordingHeader } from "@listwatch/fake-apiserver";
import { describeChanges } from "./describe-changes.ts";
import { parseCommand } from "./node-arguments.ts";
import { printable } from "./node-print-event.ts";
import { UsageError } from "./node-usage-error.ts";

const usage = `Usage: listwatch diff FILE --at MOMENT --at MOMENT
       listwatch diff FILE --object RESOURCE/NAMESPACE/NAME

Prints how two moments of a recording of "listwatch record" differ, or the timeline of one object.

  --at MOMENT            +3m12s since the start of the recording, or a time such as
                         2026-11-02T10:00:00Z; given twice
  --object RESOURCE/[NAMESPACE/]NAME
                         the object whose states to print: pods/default/web, nodes/a,
                         deployments.apps/default/web
  --help                 show this text

The exit code is 0 if the moments are equal or the object was found, and 1 otherwise.`;

/** Runs `listwatch diff`. */
export async function diff(args: readonly string[]): Promise<void> {
  const parsed = parseCommand(args, {
    usage,
    options: {
      at: { type: "string", multiple: true },
      object: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
    expected: "a file",
    least: 1,
    most: 1,
  });
  if (parsed === undefined) return;
  const { at = [], object } = parsed.values;
  const [file = ""] = parsed.positionals;
  if ((object === undefined) === (at.length === 0) || (object === undefined && at.length !== 2)) {
    throw new UsageError("expected --at twice, or --object", usage);
  }
  const { readRecording } = await import("@listwatch/fake-apiserver");
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity });
  const recording = await readRecording(lines);
  if (object !== undefined) return printTimeline(recording, object);
  const moments = at.map((text) => {
    try {
      return recording.moment(text);
    } catch (error) {
      throw new UsageError(`--at: ${describeError(error)}`, usage, { cause: error });
    }
  });
  await printDifference(recording, Math.min(...moments), Math.max(...moments));
}

async function printDifference(recording: Recording, from: number, to: number): Promise<void> {
  const before = new Map<string, JsonObject>();
  const after = new Map<string, JsonObject>();
  for await (const change of recording.changes) {
    if (change.at > to) break;
    const id = `${change.resource} ${change.key}`;
    if (change.at <= from) apply(before, id, change);
    apply(after, id, change);
  }
  for (const id of [...new Set([...before.keys(), ...after.keys()])].toSorted()) {
    const [left, right] = [before.get(id), after.get(id)];
    if (left === right) continue;
    process.exitCode = 1;
    const name = printable(id);
    if (left === undefined) console.log(`added    ${name}`);
    else if (right === undefined) console.log(`deleted  ${name}`);
    else console.log(`changed  ${name}  ${printable(describeChanges(left, right))}`);
  }
}

function apply(objects: Map<string, JsonObject>, id: string, change: RecordedChange): void {
  const { object, type } = change;
  if (type === "DELETED" || object === undefined) objects.delete(id);
  else if (!isSameVersion(objects.get(id), object)) objects.set(id, object);
}

/** A repeated list contains objects that have not changed. */
function isSameVersion(before: JsonObject | undefined, object: JsonObject): boolean {
  const [old, now] = [before, object].map((each) => metadataOf(each)?.resourceVersion);
  return old !== undefined && old === now;
}

async function printTimeline(recording: Recording, wanted: string): Promise<void> {
  const slash = wanted.indexOf("/");
  const [resource, key] = [wanted.slice(0, Math.max(slash, 0)), wanted.slice(slash + 1)];
  if (slash <= 0 || key === "") {
    throw new UsageError(`--object: expected RESOURCE/[NAMESPACE/]NAME, got "${wanted}"`, usage);
  }
  let found = 0;
  let before: JsonObject | undefined;
  for await (const change of recording.changes) {
    const [plural] = change.resource.split(".");
    if (change.key !== key || (change.resource !== resource && plural !== resource)) continue;
    const { object, type } = change;
    if (type === "LISTED" && object !== undefined && isSameVersion(before, object)) continue;
    found++;
    const isChange = before !== undefined && type !== "DELETED";
    const changes = isChange ? describeChanges(before, object) : "";
    const time = moment(change.at, recording.header);
    console.log(`${time} ${type.padEnd(8)} ${printable(changes)}`.trimEnd());
    before = type === "DELETED" ? undefined : object;
  }
  if (found > 0) return;
  process.exitCode = 1;
  console.error(`listwatch: the recording has no object ${printable(wanted)}`);
}

/** Formats a moment as its time and its distance from the start. */
function moment(at: number, { startedAt }: RecordingHeader): string {
  const time = new Date(Date.parse(startedAt) + at).toISOString();
  return `${time} ${`+${(at / 1000).toFixed(3)}s`.padStart(12)}`;
}

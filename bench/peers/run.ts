// Compares informers in four languages with ours, of pods, of custom resources and of 60 kinds at
// once, against one server on loopback:
//
//   npm run bench:peers -- [--pods N] [--runs N] [--only NAME | --write]
//
// Each is built with packages from its registry, with caches outside of the tree, and runs in a
// separate process, in turn with the others. The table names missing languages. `--only` selects
// by a part of an informer's name or of its objects. Ours with plain objects is the reference and
// always runs.
// `--write` writes the medians to the file whose figures the site shows.
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { serve, startServer } from "../reflector/processes.ts";
import { buildLanguage, type LanguageName } from "./languages.ts";
import { measurePeer, type Figures } from "./measure.ts";
import type { CustomResources } from "./custom-resources.ts";
import { kindsOf, peers, type Cached, type Peer } from "./peers.ts";
import { report, type Measured } from "./report.ts";
import { writeMedians } from "./write.ts";

const { values } = parseArgs({
  options: {
    pods: { type: "string", default: "50000" },
    runs: { type: "string", default: "5" },
    only: { type: "string", default: "" },
    write: { type: "boolean", default: false },
  },
});

function count(name: "pods" | "runs"): number {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value > 0) return value;
  console.error(`--${name} is ${values[name]}: expected a whole number from 1`);
  return process.exit(1);
}

if (values.write && values.only !== "") {
  console.error("Expected --write or --only, got both: the site compares all informers of one run");
  process.exit(1);
}
const pods = count("pods");
const runs = count("runs");
const isChosen = ({ cached, name }: Peer): boolean =>
  name.includes(values.only) || cached.includes(values.only);
/** The first of each kind of objects is what the others are compared with. */
const isReference = (peer: Peer): boolean =>
  peer === peers.find(({ cached }) => cached === peer.cached);
const groups = (Object.keys(kindsOf) as Cached[])
  .map((cached) => peers.filter((peer) => peer.cached === cached))
  .filter((group) => group.some(isChosen))
  .map((group) => group.filter((peer) => isChosen(peer) || isReference(peer)));
const chosen = groups.flat();
if (chosen.length === 0) {
  const names = [...new Set(peers.map(({ name }) => name)), ...Object.keys(kindsOf)];
  console.error(`No informer is called ${values.only}: expected part of ${names.join("; ")}`);
  process.exit(1);
}

const problems = new Map<LanguageName, string | undefined>();
for (const { language } of chosen) {
  if (!problems.has(language)) problems.set(language, buildLanguage(language));
}

/** Starts the server of some objects, each of which changes once in its burst of events. */
async function serverOf(cached: Cached): Promise<string> {
  const kinds = kindsOf[cached];
  if (kinds > 0) {
    const resources: CustomResources = { kinds, objects: Math.floor(pods / kinds) };
    return startServer("../peers/custom-resources.ts", JSON.stringify(resources));
  }
  return serve({
    pods,
    events: pods,
    kind: "modified",
    chunk: 65_536,
    isStreamed: true,
    hasProtobuf: true,
  });
}

const samples = new Map<Peer, Figures[]>(chosen.map((peer) => [peer, []]));
const failures = new Map<Peer, string>();
for (const group of groups) {
  for (let run = 0; run < runs; run++) {
    // In alternating order, so that load of the machine affects all of them.
    for (const peer of run % 2 === 0 ? group : group.toReversed()) await measure(peer, run);
  }
}

async function measure(peer: Peer, run: number): Promise<void> {
  const problem = problems.get(peer.language) ?? failures.get(peer);
  if (problem !== undefined) {
    failures.set(peer, problem);
    return;
  }
  const { cached, contentType, list, name } = peer;
  const title = `${run + 1} of ${runs}, ${name}, ${cached}, ${contentType}, ${list}`;
  // As many objects in each kind.
  const kinds = kindsOf[cached] || 1;
  const objects = Math.floor(pods / kinds) * kinds;
  try {
    const server = await serverOf(cached);
    const figures = await measurePeer(peer, server, { pods: objects, events: objects });
    samples.get(peer)?.push(figures);
    console.log(`${title}: ${figures.syncMs.toFixed(0)} ms`);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    failures.set(peer, `fails: ${words}`);
    console.error(`${title}: ${words}`);
    process.exitCode = 1;
  }
}

const measured = groups.map((group) =>
  group.map((peer): Measured => ({
    peer,
    samples: samples.get(peer) ?? [],
    failure: failures.get(peer),
  })),
);
console.log(`\n${pods} objects, then as many events; medians of ${runs} runs in turn`);
console.log(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown"}, ` +
    `${process.platform}-${process.arch}, load ${loadavg()[0]?.toFixed(1)} at the end`,
);
for (const rows of measured) console.log(`\n${rows[0]?.peer.cached}\n\n${report(rows)}`);
if (values.write) writeMedians(measured.flat(), { pods, runs });

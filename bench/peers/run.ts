// Compares informers of pods in four languages with ours, against one server on loopback:
//
//   npm run bench:peers -- [--pods N] [--runs N] [--only NAME | --write]
//
// Each is built with packages from its registry, with caches outside of the tree, and runs in a
// separate process, in turn with the others. The table names missing languages. `--only` selects
// by a part of an informer's name. Ours with plain objects is the reference and always runs.
// `--write` writes the medians to the file whose figures the site shows.
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { serve } from "../reflector/processes.ts";
import { buildLanguage, type LanguageName } from "./languages.ts";
import { measurePeer, type Figures } from "./measure.ts";
import { peers, type Peer } from "./peers.ts";
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
const chosen = peers.filter(({ name }, index) => index === 0 || name.includes(values.only));
if (chosen.length === 1 && !peers[0]?.name.includes(values.only)) {
  const names = new Set(peers.map(({ name }) => name));
  console.error(`No informer is called ${values.only}: expected part of ${[...names].join("; ")}`);
  process.exit(1);
}

const problems = new Map<LanguageName, string | undefined>();
for (const { language } of chosen) {
  if (!problems.has(language)) problems.set(language, buildLanguage(language));
}

const server = await serve({
  pods,
  // Each pod changes once, so that the burst takes about as long as the list.
  events: pods,
  kind: "modified",
  chunk: 65_536,
  isStreamed: true,
  hasProtobuf: true,
});

const samples = new Map<Peer, Figures[]>(chosen.map((peer) => [peer, []]));
const failures = new Map<Peer, string>();
for (let run = 0; run < runs; run++) {
  // In alternating order, so that load of the machine affects all of them.
  for (const peer of run % 2 === 0 ? chosen : chosen.toReversed()) await measure(peer, run);
}

async function measure(peer: Peer, run: number): Promise<void> {
  const problem = problems.get(peer.language) ?? failures.get(peer);
  if (problem !== undefined) {
    failures.set(peer, problem);
    return;
  }
  const title = `${run + 1} of ${runs}, ${peer.name}, ${peer.contentType}, ${peer.list}`;
  try {
    const figures = await measurePeer(peer, server, { pods, events: pods });
    samples.get(peer)?.push(figures);
    console.log(`${title}: ${figures.syncMs.toFixed(0)} ms`);
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    failures.set(peer, `fails: ${words}`);
    console.error(`${title}: ${words}`);
    process.exitCode = 1;
  }
}

const rows: Measured[] = chosen.map((peer) => ({
  peer,
  samples: samples.get(peer) ?? [],
  failure: failures.get(peer),
}));
console.log(`\n${pods} pods, then as many events; medians of ${runs} runs in turn`);
console.log(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown"}, ` +
    `${process.platform}-${process.arch}, load ${loadavg()[0]?.toFixed(1)} at the end\n`,
);
console.log(report(rows));
if (values.write) writeMedians(rows, { pods, runs });

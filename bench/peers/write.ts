import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
// @boundaries-ignore the file whose figures the site shows
import { writeFigures, type Figures } from "../../scripts/figures/file.ts";
import type { Figures as Sample } from "./measure.ts";
import { medianOf, megabytes, type Measured } from "./report.ts";

type Rows = Figures["informers"]["rows"];

/** Writes the medians to the file that the site shows. Rows that failed are left out. */
export function writeMedians(
  measured: readonly Measured[],
  { pods, runs }: { readonly pods: number; readonly runs: number },
): void {
  const [cpu] = cpus();
  const load = loadavg()[0]?.toFixed(1);
  writeFigures({
    informers: {
      command: "npm run bench:peers",
      date: new Date().toISOString().slice(0, 10),
      machine: `${cpus().length} × ${cpu?.model ?? "unknown"}, ${process.platform}-${process.arch}, load ${load}`,
      pods,
      runs,
      versions: versions(),
      rows: measured.filter(({ failure }) => failure === undefined).map(rowOf),
    },
  });
}

function rowOf({ peer, samples }: Measured): Rows[number] {
  const middle = (
    of: (sample: Sample) => number | undefined,
    digits: number,
  ): number | undefined => {
    const value = medianOf(samples.map(of));
    return value === undefined ? undefined : Number(value.toFixed(digits));
  };
  return {
    informer: peer.name,
    objects: peer.cached,
    reads: peer.contentType,
    list: peer.list,
    syncMs: middle(({ syncMs }) => syncMs, 0) ?? Number.NaN,
    peakMb: middle(({ peakBytes }) => megabytes(peakBytes), 0),
    heapMb: middle(({ heapBytes }) => megabytes(heapBytes), 1),
    eventsPerSecond: middle(({ eventsPerSecond }) => eventsPerSecond, 0) ?? Number.NaN,
  };
}

/** Versions of the informers, from the files that pin them, and of the runtimes. */
function versions(): Figures["informers"]["versions"] {
  return {
    listwatch: `commit ${execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim()}`,
    "client-node": pinned("../package.json", /"@kubernetes\/client-node": "([^"]+)"/),
    "client-go": pinned("go/go.mod", /k8s\.io\/client-go v(\S+)/),
    "controller-runtime": pinned("go/go.mod", /sigs\.k8s\.io\/controller-runtime v(\S+)/),
    "kube-rs": pinned("rust/Cargo.toml", /kube = \{ version = "=([^"]+)"/),
    fabric8: pinned("java/pom.xml", /kubernetes-client<\/artifactId>\s*<version>([^<]+)/),
    Node: process.versions.node,
    Deno: pinned("../../tools/package.json", /"deno": "([^"]+)"/),
    Bun: pinned("../../tools/package.json", /"bun": "([^"]+)"/),
  };
}

function pinned(file: string, pattern: RegExp): string {
  const version = pattern.exec(readFileSync(join(import.meta.dirname, file), "utf8"))?.[1];
  if (version === undefined) throw new Error(`Expected a version in bench/peers/${file}, got none`);
  return version;
}

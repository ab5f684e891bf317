import { readFileSync, writeFileSync } from "node:fs";
import { Agent } from "node:https";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { ControlPlane } from "../control-plane.ts";
import type { Counts } from "../run-program.ts";
import { namespace, type Observation, observeKinds } from "./observe-kinds.ts";

const recording = new URL("../../../conformance/fidelity/recordings/kinds.json", import.meta.url);

/** The user of `wholeServer` in conformance/fidelity/scenario.ts. */
export const recorder = { name: "admin", groups: ["system:masters"] };

/**
 * Creates a minimal and a maximal object of every kind on a real server, and compares what it made
 * of them with conformance/fidelity/recordings/kinds.json, which `npm run fidelity` replays against
 * the fake server. With `update`, writes that file.
 */
export async function runKindChecks(
  plane: ControlPlane,
  version: string,
  update: boolean,
): Promise<Counts> {
  const agent = new Agent({ keepAlive: true, ca: readFileSync(join(plane.pki, "ca.crt")) });
  const connection = { agent, server: plane.server, token: plane.tokenOf(recorder.name) };
  const observations: Observation[] = [];
  for await (const one of observeKinds(connection)) {
    if ("why" in one) console.log(`     kinds: no ${one.subject}: ${one.why.slice(0, 300)}`);
    else observations.push(one);
  }
  agent.destroy();
  if (update) write(observations, version);
  const counts = { passed: 0, failed: 0 };
  const recorded = new Map(readRecorded().map((one) => [nameOf(one), one]));
  for (const one of observations) {
    if (isDeepStrictEqual(one, recorded.get(nameOf(one)))) {
      counts.passed++;
      continue;
    }
    console.log(`FAIL kinds: ${nameOf(one)} is not as recorded`);
    counts.failed++;
  }
  console.log(`ok   kinds: ${counts.passed} objects of ${recorded.size} are as recorded`);
  return counts;
}

function nameOf({ apiVersion, kind, note }: Observation): string {
  return `${apiVersion} ${kind}, ${note}`;
}

function readRecorded(): readonly Observation[] {
  const { observations } = JSON.parse(readFileSync(recording, "utf8")) as {
    readonly observations: readonly Observation[];
  };
  return observations;
}

function write(observations: readonly Observation[], version: string): void {
  const content = {
    format: "kubernetes-create-observations/1",
    kubernetes: version.replace("Kubernetes v", ""),
    namespace,
    admission: "default plugins without ServiceAccount; no controllers",
    note: "Written by npm run test:cluster -- --update kinds. output is the answer to POST of input",
    count: observations.length,
    observations: [],
  };
  // A line for each object.
  const lines = observations.map((one) => JSON.stringify(one)).join(",\n");
  writeFileSync(recording, `${JSON.stringify(content).replace("[]", `[\n${lines}\n]`)}\n`);
}

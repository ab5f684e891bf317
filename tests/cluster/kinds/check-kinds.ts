import { readFileSync, writeFileSync } from "node:fs";
import { Agent } from "node:https";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { ControlPlane } from "../control-plane.ts";
import type { Counts } from "../run-program.ts";
import type { ApiConnection } from "./api-connection.ts";
import {
  apiVersionOf,
  createNamespace,
  type Kind,
  kindsOf,
  namespace,
  type Observation,
  observeAgain,
  observeKinds,
} from "./observe-kinds.ts";

const recording = new URL("../../../conformance/fidelity/recordings/kinds.json", import.meta.url);

/** The user of `wholeServer` in conformance/fidelity/scenario.ts. */
export const recorder = { name: "admin", groups: ["system:masters"] };

/**
 * Creates the objects of conformance/fidelity/recordings/kinds.json on a real server, which no one
 * else uses, and compares what it makes of them with the recording. `npm run fidelity` replays that
 * file against the fake server. With `update`, first generates a minimal and a maximal object of
 * every kind, and writes the file.
 */
export async function runKindChecks(
  plane: ControlPlane,
  version: string,
  update: boolean,
): Promise<Counts> {
  const agent = new Agent({ keepAlive: true, ca: readFileSync(join(plane.pki, "ca.crt")) });
  const connection = { agent, server: plane.server, token: plane.tokenOf(recorder.name) };
  try {
    await createNamespace(connection);
    if (update) return await record(connection, version);
    return await compare(connection);
  } finally {
    agent.destroy();
  }
}

async function record(connection: ApiConnection, version: string): Promise<Counts> {
  const observations: Observation[] = [];
  for await (const one of observeKinds(connection)) {
    if ("why" in one) console.log(`     kinds: no ${one.subject}: ${one.why.slice(0, 300)}`);
    else observations.push(one);
  }
  write(observations, version);
  console.log(`ok   kinds: ${observations.length} objects are recorded`);
  return { passed: observations.length, failed: 0 };
}

async function compare(connection: ApiConnection): Promise<Counts> {
  const kinds = new Map((await kindsOf(connection)).map((one) => [typeOf(one), one]));
  const recorded = readRecorded();
  const counts = { passed: 0, failed: 0 };
  for (const one of recorded) {
    const kind = kinds.get(`${one.apiVersion} ${one.kind}`);
    const observed = kind === undefined ? "not served" : await observeAgain(connection, kind, one);
    if (isDeepStrictEqual(observed, one)) {
      counts.passed++;
      continue;
    }
    console.log(`FAIL kinds: ${one.apiVersion} ${one.kind}, ${one.note} is not as recorded`);
    console.log(`  recorded: ${JSON.stringify(one)}\n  observed: ${JSON.stringify(observed)}`);
    counts.failed++;
  }
  for (const { apiVersion, kind } of recorded) kinds.delete(`${apiVersion} ${kind}`);
  for (const name of kinds.keys()) console.log(`     kinds: ${name} is not recorded`);
  console.log(`ok   kinds: ${counts.passed} objects of ${recorded.length} are as recorded`);
  return counts;
}

function typeOf(kind: Kind): string {
  return `${apiVersionOf(kind)} ${kind.kind}`;
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

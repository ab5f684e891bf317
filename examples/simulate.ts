import { createClient } from "listwatch";
import { simulate, SimulationError, type Life, type Scenario } from "listwatch/testing";
import { configmaps } from "listwatch/resources/core/v1";

// The program starts one job: it tries until it gets an answer.
async function startJob({ clock, connection, random, signal }: Life) {
  const jobs = createClient(connection, { clock, random }).resource(configmaps);
  const draft = { metadata: { namespace: "jobs", generateName: "job-" } };
  while (!signal.aborted) {
    try {
      await jobs.create(draft);
      break;
    } catch {
      await new Promise<void>((resolve) => clock.setTimeout(resolve, 1000));
    }
  }
  if (!signal.aborted) await new Promise((resolve) => (signal.onabort = resolve));
}

const scenario: Scenario = {
  name: "a starter of jobs",
  start: startJob,
  never: {
    "two jobs": (cluster) => cluster.list(configmaps).length > 1,
  },
};

const failure: unknown = await simulate(scenario).catch((error: unknown) => error);
if (!(failure instanceof SimulationError)) throw failure;
console.log(failure.invariant);
console.log(failure.timeline);

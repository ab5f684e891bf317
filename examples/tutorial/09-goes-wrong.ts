// An operator that keeps its state in a variable, and what a restart makes of it.
import { createManager } from "listwatch";
import { simulate, SimulationError, type Life, type Scenario } from "listwatch/testing";
import { configmaps, type ConfigMap } from "listwatch/resources/core/v1";

/** Remembers in a variable what it has written, which a new process does not know. */
function start({ clock, connection, log, random, signal }: Life) {
  const manager = createManager(connection, {
    name: "greeter",
    signals: false,
    server: false,
    telemetry: { log },
    clock,
    random,
  });
  const written = new Set<string>();
  manager.controller({
    for: configmaps,
    reconcile: async (key, { client, object }) => {
      if (object?.metadata.name !== "order" || written.has(key)) return;
      written.add(key);
      const parcel = { metadata: { namespace: "default", generateName: "parcel-" } };
      await client.resource(configmaps).create(parcel);
    },
  });
  return manager.run(signal);
}

const isParcel = ({ metadata }: ConfigMap) => /^parcel-/.test(metadata.name ?? "");
const scenario: Scenario = {
  name: "one parcel for each order",
  start,
  actions: {
    order: ({ client }) =>
      client.resource(configmaps).create({ metadata: { namespace: "default", name: "order" } }),
  },
  never: {
    "two parcels": (state) => state.list(configmaps).filter(isParcel).length > 1,
  },
};
const failure: unknown = await simulate(scenario, { seeds: 200 }).catch((error: unknown) => error);
if (!(failure instanceof SimulationError)) throw failure;
console.log("broken:", failure.invariant);
console.log(failure.timeline);

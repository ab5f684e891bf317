import { createClient, isNotFound, type Client } from "@listwatch/client";
import { configmaps, type ConfigMap } from "@listwatch/resources/core/v1";
import { SharedInformerFactory } from "@listwatch/shared-informer";
import { describe, expect, test } from "vitest";
import {
  simulate,
  SimulationError,
  type ClusterState,
  type Life,
  type Scenario,
} from "../../src/index.ts";
import { untilAborted } from "../support/until-aborted.ts";

// What mittwald/kubernetes-replicator does with the annotation `replicate-to`, as of its commit
// 11ae8436, rewritten small: handlers of an informer write the copies (replicate/common,
// generic-replicator.go, ResourceAdded and ResourceDeleted). A failed write is logged and waits for
// the next event or resync. Only the event of a deletion removes copies.

const target = "production";
const resyncMs = 30 * 60_000;
const replicateTo = "replicator.v1.mittwald.de/replicate-to";
const replicatedBy = "replicator.v1.mittwald.de/replicated-from-version";

type Source = Pick<ConfigMap, "data"> & {
  readonly metadata: Pick<ConfigMap["metadata"], "annotations" | "name" | "resourceVersion">;
};

async function copy(client: Client, { data, metadata }: Source): Promise<void> {
  if (metadata.annotations?.[replicateTo] === undefined) return;
  const annotations = { [replicatedBy]: metadata.resourceVersion ?? "" };
  await client
    .resource(configmaps)
    .apply(
      { metadata: { namespace: target, name: metadata.name, annotations }, data: data ?? {} },
      { fieldManager: "replicator", force: true },
    );
}

async function remove(client: Client, { metadata }: Source): Promise<void> {
  if (metadata.annotations?.[replicateTo] === undefined) return;
  await client
    .resource(configmaps)
    .delete(`${target}/${metadata.name}`)
    .catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
}

async function replicator({ clock, connection, log, random, signal }: Life): Promise<void> {
  const client = createClient(connection, { clock, random, retries: 0 });
  const informers = { random, resyncMs };
  await using factory = new SharedInformerFactory({ connection, clock, log, informers });
  const attempt = async (work: Promise<void>): Promise<void> => {
    await work.catch((error: unknown) => log.error(String(error), {}));
  };
  factory.informer(configmaps).addEventHandler({
    onAdd: (map) => attempt(copy(client, map)),
    onUpdate: (_before, map) => attempt(copy(client, map)),
    onDelete: async ({ object }) => {
      if (object !== undefined) await attempt(remove(client, object));
    },
  });
  factory.start();
  await untilAborted(signal);
}

function isOwned(state: ClusterState): boolean | string {
  const isLeft = state.get(configmaps, `${target}/settings`) !== undefined;
  return !isLeft || state.get(configmaps, "default/settings") !== undefined || "a copy is left";
}

const scenario: Scenario = {
  name: "kubernetes-replicator",
  start: replicator,
  actions: {
    "write the settings": ({ client, random }) =>
      client.resource(configmaps).apply(
        {
          metadata: {
            namespace: "default",
            name: "settings",
            annotations: { [replicateTo]: target },
          },
          data: { number: String(random()) },
        },
        { fieldManager: "user", force: true },
      ),
    "delete the settings": ({ client }) => client.resource(configmaps).delete("default/settings"),
  },
  eventually: { "no copy is left": isOwned },
};

const isOnNode = !("Deno" in globalThis) && !("Bun" in globalThis);

describe.runIf(isOnNode)("kubernetes-replicator, rewritten small", () => {
  test("keeps the copy of a source that was deleted, if the event or the delete is lost", async () => {
    const times = { convergeMs: 300_000, quietMs: 200_000 };
    const error: unknown = await simulate(scenario, times).catch((reason: unknown) => reason);
    if (!(error instanceof SimulationError)) throw new Error("nothing was found", { cause: error });
    const { actions, faults = [], upsets } = error.story;
    expect(error.invariant).toBe("eventually: no copy is left");
    expect(actions.length + faults.length + upsets.length).toBeLessThanOrEqual(5);
  });
});

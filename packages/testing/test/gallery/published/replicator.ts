import { isNotFound, type Client } from "@listwatch/client";
import { configmaps, type ConfigMap } from "@listwatch/resources/core/v1";
import { SharedInformerFactory } from "@listwatch/shared-informer";
import type { ClusterState, Life } from "../../../src/index.ts";
import { untilAborted } from "../../support/until-aborted.ts";
import { ignore, usualTimes } from "../tools.ts";
import { logFailure, plainClient, type Published } from "./tools.ts";

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
  await ignore(client.resource(configmaps).delete(`${target}/${metadata.name}`), isNotFound);
}

/** Handlers of an informer write the copies; only the event of a deletion removes them. */
async function start(life: Life): Promise<void> {
  const { clock, connection, log, random, signal } = life;
  const client = plainClient(life);
  const informers = { random, resyncMs };
  await using factory = new SharedInformerFactory({ connection, clock, log, informers });
  factory.informer(configmaps).addEventHandler({
    onAdd: (map) => logFailure(life, copy(client, map)),
    onUpdate: (_before, map) => logFailure(life, copy(client, map)),
    onDelete: async ({ object }) => {
      if (object !== undefined) await logFailure(life, remove(client, object));
    },
  });
  factory.start();
  await untilAborted(signal);
}

function isOwned(state: ClusterState): boolean | string {
  const isLeft = state.get(configmaps, `${target}/settings`) !== undefined;
  return !isLeft || state.get(configmaps, "default/settings") !== undefined || "a copy is left";
}

/**
 * https://github.com/mittwald/kubernetes-replicator, replicate/common/generic-replicator.go at
 * commit 11ae8436 (`ResourceAdded`, `ResourceDeleted`), which is in Go: a failed write waits for
 * the next event of its source, and a deleted source has none.
 */
export const replicator: Published = {
  invariant: "eventually: no copy is left",
  seed: 3,
  options: usualTimes,
  scenario: {
    name: "mittwald/kubernetes-replicator",
    start,
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
  },
};

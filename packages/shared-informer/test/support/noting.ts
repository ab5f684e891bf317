import { defineResource, type Client, type CompletedWrite } from "@listwatch/client";
import { observeWrites } from "@listwatch/client/base";
import type { Informer, NotedWrite } from "../../src/index.ts";
import type { Cluster, ConfigMap } from "./cluster.ts";

export const noted = defineResource<ConfigMap>({
  group: "",
  version: "v1",
  resource: "configmaps",
  kind: "ConfigMap",
  scope: "Namespaced",
});

export function stallWatches({ api }: Cluster): void {
  for (const watch of api.control.watches.list()) watch.stall();
}

export async function resumeWatches({ api, clock }: Cluster): Promise<void> {
  for (const watch of api.control.watches.list()) watch.resume();
  await clock.advance(100);
}

/** A client whose writes an informer notes. */
export interface NotingClient {
  readonly client: Client;
  /** The note of each write, if the informer returned one. */
  readonly notes: readonly (NotedWrite | undefined)[];
  readonly writes: readonly CompletedWrite[];
}

export function notingClient(
  cluster: Cluster,
  informer: Pick<Informer<never>, "noteWrite">,
): NotingClient {
  const notes: (NotedWrite | undefined)[] = [];
  const writes: CompletedWrite[] = [];
  const client = observeWrites(cluster.client, (write) => {
    writes.push(write);
    notes.push(informer.noteWrite(write));
  });
  return { client, notes, writes };
}

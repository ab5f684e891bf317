// The informers of the page: pods with an index by node, and nodes, over one stream.
import { Informer } from "listwatch";
import type { Node, Pod } from "listwatch/resources/core/v1";
import { eventStreamSource, type EventStreamSourceOptions } from "listwatch/streams";

export function followCollections(
  url: string,
  { clock, ...options }: EventStreamSourceOptions = {},
) {
  const stream = eventStreamSource(url, { clock, ...options });
  const pods = new Informer(stream.collection<Pod>("pods"), {
    name: "pods",
    clock,
    indexers: { node: (pod) => pod.spec.nodeName ?? "unassigned" },
  });
  const nodes = new Informer(stream.collection<Node>("nodes"), { name: "nodes", clock });
  const run = async (signal?: AbortSignal): Promise<void> => {
    await Promise.all([pods.run(signal), nodes.run(signal)]);
  };
  return { nodes, pods, run };
}

/** A node with its pods. */
export interface Row {
  readonly node: string;
  readonly pods: readonly string[];
}

/** The pods that the user may see, by node. */
export function rowsOf({ pods }: ReturnType<typeof followCollections>): readonly Row[] {
  const nodes = pods.store.listIndexFuncValues("node").toSorted();
  return nodes.map((node) => ({
    node,
    pods: pods.store
      .byIndex("node", node)
      .map(({ metadata, status }) => `${metadata.namespace}/${metadata.name} ${status.phase ?? ""}`)
      .toSorted(),
  }));
}

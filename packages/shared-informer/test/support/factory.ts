import { createConnection } from "@listwatch/client";
import { silentLog } from "@listwatch/core-fifo";
import { SharedInformerFactory, type SharedInformerFactoryOptions } from "../../src/index.ts";
import { Cluster, sourceForm } from "./cluster.ts";

export const configMaps = { group: "", version: "v1", resource: "configmaps" };
export const pods = { group: "", version: "v1", resource: "pods" };
export const secrets = { group: "", version: "v1", resource: "secrets" };

/** A cluster that answers requests for these resources with 403. */
export function createForbidden(...resources: readonly string[]): Cluster {
  const cluster = new Cluster();
  for (const resource of resources) {
    cluster.api.control.faults.add({
      match: { resource },
      action: { type: "status", status: { code: 403 } },
      times: Infinity,
    });
  }
  return cluster;
}

/** A factory of the cluster, without a log. */
export function factoryOf(
  cluster: Cluster,
  options: Partial<SharedInformerFactoryOptions> = {},
): SharedInformerFactory {
  const { api, clock } = cluster;
  return new SharedInformerFactory({
    connection: createConnection({ server: "http://cluster", fetch: api.fetch }),
    clock,
    log: silentLog,
    decoder: sourceForm.decoder,
    lazy: sourceForm.lazy,
    encoding: sourceForm.encoding,
    ...options,
    informers: { random: cluster.random, ...options.informers },
  });
}

import { isJsonEqual, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import { isInScopes, isUsedBy, resourcesUsing, usageOf } from "../admission/quota-usage.ts";
import { quantity } from "../admission/resource-quota.ts";
import type { ApiObject } from "../api/api-object.ts";
import { field } from "../base/read-fields.ts";
import { nanosOf } from "../rules/quantities.ts";
import type { Cluster, ClusterWriter } from "./cluster.ts";
import type { Controller, KeysOf } from "./controller.ts";

const resource = "resourcequotas";

/**
 * Writes the limits and the usage of resource quotas into their status (k8s.io/kubernetes
 * pkg/controller/resourcequota).
 */
export class ResourceQuotaController implements Controller {
  readonly watches: Controller["watches"];
  readonly others: KeysOf;
  readonly #cluster: Cluster;
  readonly #writer: ClusterWriter;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#writer = cluster.controller("resourcequota-controller");
    // Everything in a namespace may count.
    this.others = ({ stored }) => cluster.list(resource, stored.namespace).map(({ key }) => key);
    this.watches = { [resource]: this.others };
  }

  async reconcile(key: string): Promise<void> {
    const quota = this.#cluster.get(resource, key)?.object;
    if (quota === undefined) return;
    const hard = recordOf(field(quota, "spec", "hard"));
    const before = recordOf(field(quota, "status", "used"));
    const used = this.#usedOf(quota, hard, before);
    const known = recordOf(field(quota, "status", "hard"));
    const isCounted = isJsonEqual(hard, known) && isSame(used, before);
    if (!isCounted) await this.#writer.updateStatus(resource, { ...quota, status: { hard, used } });
  }

  #usedOf(quota: ApiObject, hard: JsonObject, before: JsonObject): JsonObject {
    const names = Object.keys(hard);
    const { namespace } = quota.metadata;
    const sums = new Map<string, bigint>();
    for (const one of resourcesUsing(names)) {
      if (!this.#cluster.serves(one)) continue;
      const own = names.filter((name) => isUsedBy(one, name));
      for (const name of own) sums.set(name, 0n);
      for (const { object } of this.#cluster.list(one, namespace)) {
        if (!isInScopes(one, object, quota)) continue;
        const usage = usageOf(one, object);
        for (const name of own) sums.set(name, sums.get(name)! + (usage.get(name) ?? 0n));
      }
    }
    const used = names.map((name): [string, unknown] => {
      const sum = sums.get(name);
      return [name, sum === undefined ? before[name] : quantity(sum, hard[name])];
    });
    return Object.fromEntries(used.filter(([, value]) => value !== undefined));
  }
}

/** Whether quantities are equal as numbers. */
function isSame(left: JsonObject, right: JsonObject): boolean {
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  return names.every((name) => name in right && nanosOf(left[name]) === nanosOf(right[name]));
}

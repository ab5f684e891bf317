import { createClient, StatusError, type Connection } from "@listwatch/client";
import type { KubernetesObject } from "@listwatch/core-fifo";
import { httpListerWatcher, type ListerWatcher } from "@listwatch/reflector";

/** Which collection of which server. */
export interface Target {
  readonly connection: Connection;
  /** Plural, singular, short name or kind, maybe with its group: `po`, `deployments.apps`. */
  readonly resource: string;
  /** Undefined = all namespaces. */
  readonly namespace: string | undefined;
}

/**
 * A lister-watcher for a resource that the server has to be asked about: this happens before the
 * first list. As a part of the list it fails and is tried again like every list.
 */
export function discoveringListerWatcher(target: Target): ListerWatcher<KubernetesObject> {
  const { connection, namespace } = target;
  // The list is tried again, so discovery is not.
  const { discovery } = createClient(connection, { retries: 0 });
  let found: ListerWatcher<KubernetesObject> | undefined;
  const find = async (): Promise<ListerWatcher<KubernetesObject>> => {
    const resource = await discovery.forResource(target.resource);
    if (resource === undefined) throw notFound(target.resource);
    const isIn = namespace !== undefined && resource.scope === "Namespaced";
    found = httpListerWatcher({ connection, resource, ...(isIn ? { namespace } : {}) });
    return found;
  };
  return {
    list: async (options, context) => (found ?? (await find())).list(options, context),
    watch: async (options, context) => (found ?? (await find())).watch(options, context),
  };
}

function notFound(resource: string): StatusError {
  return new StatusError({
    kind: "Status",
    status: "Failure",
    code: 404,
    reason: "NotFound",
    message: `the server has no resource "${resource}"`,
  });
}

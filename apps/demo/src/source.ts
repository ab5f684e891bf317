import { createClient, httpListerWatcher, StatusError } from "listwatch";
import type { Clock, Connection, KubernetesObject, ListerWatcher } from "listwatch";
import type { DemoArguments } from "./arguments.ts";

/**
 * Lists and watches a resource that the server is asked about first. As a part of the list this
 * fails and is tried again like every list.
 */
export function discoveringSource(
  connection: Connection,
  { namespace, resource: name }: DemoArguments,
  clock: Clock,
): ListerWatcher<KubernetesObject> {
  // It keeps what it has learned.
  const { discovery } = createClient(connection, { clock, retries: 0 });
  const find = async (): Promise<ListerWatcher<KubernetesObject>> => {
    const resource = await discovery.forResource(name);
    const message = `the server has no resource "${name}"`;
    const notFound = { status: "Failure", code: 404, reason: "NotFound", message } as const;
    if (resource === undefined) throw new StatusError(notFound);
    const scope = resource.scope === "Namespaced" ? { namespace } : {};
    return httpListerWatcher({ connection, resource, clock, ...scope });
  };
  return {
    list: async (options, context) => (await find()).list(options, context),
    watch: async (options, context) => (await find()).watch(options, context),
  };
}

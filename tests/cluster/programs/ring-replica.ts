// A replica of an operator that divides its keys by a ring. Arguments: namespace and identity.
// Prints the slots of its ring when they change, and the begin and end of each reconcile.
import {
  Controller,
  controllerReference,
  createClient,
  SharedInformerFactory,
  ShardRing,
} from "listwatch";
import { connect } from "listwatch/node";
import { configMaps } from "./cluster.ts";

const [namespace = "", identity = ""] = process.argv.slice(2);
await using connection = await connect();
const client = createClient(connection, { fieldManager: "operator" });
const factory = new SharedInformerFactory({ connection });
const ring = new ShardRing({ client, namespace, name: "operator", by: "uid", identity });
const primaries = factory.informer(configMaps, { namespace, labelSelector: "role=primary" });
const children = factory.informer(configMaps, { namespace, labelSelector: "role=child" });
const controller = new Controller({
  informer: primaries,
  client,
  shards: ring,
  workers: 8,
  reconcile: async (key, context) => {
    const { object, signal } = context;
    if (object === undefined) return;
    const startMs = Date.now();
    const name = `${object.metadata.name}-child`;
    const data = { round: object.data?.["round"] ?? "", by: identity };
    if (children.store.getByKey(`${namespace}/${name}`)?.data?.["round"] !== data.round) {
      const type = { apiVersion: "v1", kind: "ConfigMap" };
      const child = {
        metadata: {
          namespace,
          name,
          labels: { role: "child" },
          ownerReferences: [controllerReference(object, type)],
        },
        data,
      };
      const owned = context.client.resource(configMaps);
      await owned.apply({ apiVersion: "v1", kind: "ConfigMap", ...child }, { signal, force: true });
    }
    console.log("reconciled", JSON.stringify([key, startMs, Date.now()]));
  },
});
controller.owns(children, { group: "", kind: "ConfigMap" });

const stop = new AbortController();
process.once("SIGTERM", () => stop.abort());
let known = "";
const timer = setInterval(() => {
  const slots = JSON.stringify(ring.status().slots);
  if (slots !== known) console.log("slots", slots);
  known = slots;
}, 50);
factory.start(stop.signal);
await Promise.all([ring.run(stop.signal), controller.run(stop.signal)]);
clearInterval(timer);
console.log("ended", "[]");

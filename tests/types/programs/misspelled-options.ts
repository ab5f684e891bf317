// An option with a wrong name, or in a wrong group, does not compile.
import { createClient, createConnection } from "@listwatch/client";
import { Controller, LeaderElector } from "@listwatch/controller";
import { httpListerWatcher } from "@listwatch/reflector";
import { SharedInformer } from "@listwatch/shared-informer";
import { WorkQueue } from "@listwatch/workqueue";
import { connect } from "listwatch/node";

const connection = createConnection({ server: "http://127.0.0.1:8001" });
const resource = { group: "", version: "v1", resource: "pods" };
const listerWatcher = httpListerWatcher({ connection, resource });
const client = createClient(connection, { timeoutMs: 1000 });
const lease = { namespace: "shop", name: "orders" };
const reconcile = (): undefined => undefined;

export function misspell(): readonly unknown[] {
  return [
    // @ts-expect-error -- workers
    new Controller({ reconcile, wokers: 2 }),
    // @ts-expect-error -- timeoutMs
    new Controller({ reconcile, limits: { timeoutMS: 1000 } }),
    // @ts-expect-error -- limits.timeoutMs
    new Controller({ reconcile, timeoutMs: 1000 }),
    // @ts-expect-error -- resyncMs
    new SharedInformer({ listerWatcher, resyncMillis: 1000 }),
    // @ts-expect-error -- silenceMs
    new SharedInformer({ listerWatcher, watch: { silence: 1000 } }),
    // @ts-expect-error -- watch.silenceMs
    new SharedInformer({ listerWatcher, silenceMs: 1000 }),
    // @ts-expect-error -- timeoutMs
    createClient(connection, { timeout: 1000 }),
    // @ts-expect-error -- server
    createConnection({ server: "http://127.0.0.1:8001", sever: "" }),
    // @ts-expect-error -- context
    connect({ contxt: "kind" }),
    // @ts-expect-error -- identity
    new LeaderElector({ client, lease, identiy: "a" }),
    // @ts-expect-error -- retryPeriodMs
    new LeaderElector({ client, lease, limits: { retryPeriod: 2000 } }),
    // @ts-expect-error -- labels
    new LeaderElector({ client, lease: { ...lease, lables: {} } }),
    // @ts-expect-error -- delays
    new WorkQueue<string>({ delay: "merged" }),
  ];
}

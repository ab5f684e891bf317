// A controller that starts a job each hour, and its tests with a definition, time and faults.
import { controllerReference, defineResource, isAlreadyExists, type Manager } from "listwatch";
import { jobs } from "listwatch/resources/batch/v1";
import type { NamespacedObjectMeta } from "listwatch/resources/meta/v1";
import { testCluster, type TestCluster } from "listwatch/testing";

interface Backup {
  metadata: NamespacedObjectMeta;
  spec: { everyMinutes: number };
}
const backups = defineResource<Backup>({
  group: "example.com",
  version: "v1",
  resource: "backups",
  kind: "Backup",
  scope: "Namespaced",
});
const everyMinutes = { type: "integer", minimum: 1 };
const spec = { type: "object", required: ["everyMinutes"], properties: { everyMinutes } };
const openAPIV3Schema = { type: "object", required: ["spec"], properties: { spec } };
const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "backups.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "backups", singular: "backup", kind: "Backup" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
  },
};

function addBackups(manager: Manager) {
  const { clock } = manager;
  manager.controller({
    for: backups,
    reconcile: async (_key, { client, object, signal }) => {
      if (object === undefined) return undefined;
      const { creationTimestamp, name, namespace } = object.metadata;
      const periodMs = object.spec.everyMinutes * 60_000;
      const ageMs = clock.now() - Date.parse(creationTimestamp);
      const containers = [{ name: "backup", image: "backup" }];
      const job = {
        metadata: {
          // The same name for each attempt of one period.
          name: `${name}-${Math.floor(ageMs / periodMs)}`,
          namespace,
          ownerReferences: [controllerReference(object, backups)],
        },
        spec: { template: { spec: { restartPolicy: "Never" as const, containers } } },
      };
      try {
        await client.resource(jobs).create(job, { signal });
      } catch (error) {
        if (!isAlreadyExists(error)) throw error;
      }
      return { requeueAfterMs: periodMs - (ageMs % periodMs) };
    },
  });
}

/** Runs a test on a new cluster with the controller. */
async function test(name: string, body: (cluster: TestCluster) => Promise<unknown>) {
  await using cluster = await testCluster({ definitions: [definition] });
  const manager = cluster.manager({ name: "backups" });
  addBackups(manager);
  cluster.run("backups", (signal) => manager.run(signal));
  await body(cluster);
  console.log("ok:", name);
}

const key = "shop/db";
const metadata = { namespace: "shop", name: "db" };
const hourly = { metadata, spec: { everyMinutes: 60 } };
const newJob = { resource: "jobs", verb: "create" } as const;
const untilJob = (cluster: TestCluster, name: string) =>
  cluster.until((state) => state.get(jobs, `shop/${name}`), { timeoutMs: 3_600_000 });

await test("the definition refuses what its schema does not allow", async ({ client }) => {
  const wrong = client.resource(backups).create({ metadata, spec: { everyMinutes: 0 } });
  const error = await wrong.then(
    () => undefined,
    (reason: Error) => reason,
  );
  if (!error?.message.includes("should be greater than or equal to 1")) throw error;
});

await test("clock: a day has 24 jobs", async (cluster) => {
  await cluster.client.resource(backups).create(hourly);
  await cluster.advance(24 * 3_600_000 - 1);
  if (cluster.list(jobs).length !== 24) throw new Error(`${cluster.list(jobs).length} jobs`);
});

await test("410: the informer lists again, and the controller sees the change", async (cluster) => {
  const { control } = cluster.server;
  await cluster.client.resource(backups).create(hourly);
  await untilJob(cluster, "db-0");
  control.advanceRevision();
  control.compact(); // The history that the watches would resume from is gone.
  control.watches.reset();
  await cluster.client.resource(backups).patch(key, { spec: { everyMinutes: 5 } });
  await untilJob(cluster, "db-2");
  const query = { sendInitialEvents: "true" };
  const lists = control.recorder.list({ resource: "backups", query });
  if (lists.length !== 2) throw new Error(`${lists.length} lists`);
});

await test("429: the job is created when the server has time again", async (cluster) => {
  const status = { code: 429, retryAfterSeconds: 10 };
  cluster.server.control.faults.add({ match: newJob, action: { type: "status", status } });
  await cluster.client.resource(backups).create(hourly);
  await untilJob(cluster, "db-0");
  cluster.server.control.faults.assertConsumed();
});

await test("lost answer: the job that was created is not created twice", async (cluster) => {
  cluster.server.control.faults.add({ match: newJob, action: { type: "commitThenFail" } });
  await cluster.client.resource(backups).create(hourly);
  await untilJob(cluster, "db-0");
  await cluster.advance(600_000);
  cluster.server.control.faults.assertConsumed();
  if (cluster.list(jobs).length !== 1) throw new Error(`${cluster.list(jobs).length} jobs`);
});

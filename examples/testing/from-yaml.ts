// A test reads the definition that the cluster gets, from the same file.
import { join } from "node:path";
import { defineResource } from "listwatch";
import type { NamespacedObjectMeta } from "listwatch/resources/meta/v1";
import { readManifests, testCluster } from "listwatch/testing";

// `npx listwatch generate definition.yaml` writes these parts.
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

const definitions = await readManifests(join(import.meta.dirname, "definition.yaml"));
await using cluster = await testCluster({ definitions });
const { client } = cluster;
const metadata = { namespace: "shop", name: "db" };
const { spec } = await client.resource(backups).create({ metadata, spec: { everyMinutes: 60 } });
console.log("stored:", spec.everyMinutes);

const wrong = { metadata: { namespace: "shop", name: "never" }, spec: { everyMinutes: 0 } };
await client
  .resource(backups)
  .create(wrong)
  .catch((error: Error) => console.log(error.message));

// An operator that keeps a config map beside each deployment. `npm run gen -- figures` counts its
// lines.
import { controllerReference, createManager } from "listwatch";
import { connect } from "listwatch/node";
import { deployments } from "listwatch/resources/apps/v1";
import { configmaps } from "listwatch/resources/core/v1";

await using connection = await connect();
const manager = createManager(connection, {
  name: "notes",
  election: { namespace: "default" },
  client: { fieldManager: "notes" },
});

const controller = manager.controller({
  for: deployments,
  reconcile: async (_key, { client, object, signal }) => {
    if (object === undefined) return;
    const { name, namespace } = object.metadata;
    const ownerReferences = [controllerReference(object, deployments)];
    const data = { replicas: String(object.spec?.replicas ?? 1) };
    const note = { metadata: { name: `${name}-note`, namespace, ownerReferences }, data };
    await client.resource(configmaps).apply(note, { force: true, signal });
  },
});
controller.owns(manager.informers.informer(configmaps));

await manager.run();

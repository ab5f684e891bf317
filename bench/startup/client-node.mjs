// The same program with the peer, as in its documentation.
import { importedAt, synced } from "./figures.mjs";

const { CoreV1Api, KubeConfig, makeInformer } = await import("@kubernetes/client-node");
importedAt(performance.now());

const config = new KubeConfig();
config.loadFromDefault();
const api = config.makeApiClient(CoreV1Api);
const informer = makeInformer(config, "/api/v1/pods", () => api.listPodForAllNamespaces());
let count = 0;
informer.on("add", () => {
  count += 1;
  synced(count);
});
await informer.start();

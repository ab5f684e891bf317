// A controller of @kubernetes/client-node. It gives each ConfigMap the label "checked".
import { CoreV1Api, PatchStrategy, makeInformer, setHeaderOptions } from "@kubernetes/client-node";

const merge = setHeaderOptions("Content-Type", PatchStrategy.MergePatch);
const retryMs = 200;

/** Starts the controller in a namespace. @returns a function that stops it */
export async function startController(config, namespace) {
  const core = config.makeApiClient(CoreV1Api);
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const informer = makeInformer(config, path, () => core.listNamespacedConfigMap({ namespace }));

  async function check({ metadata: { labels, name } }) {
    if (labels?.checked === "yes") return;
    const body = { metadata: { labels: { checked: "yes" } } };
    try {
      await core.patchNamespacedConfigMap({ name, namespace, body }, merge);
    } catch {
      // The client repeats nothing by itself.
      setTimeout(() => {
        const object = informer.get(name, namespace);
        if (object !== undefined) void check(object);
      }, retryMs);
    }
  }
  informer.on("add", (object) => void check(object));
  informer.on("update", (object) => void check(object));
  let isStopped = false;
  informer.on("error", () => {
    // A stop is an error, too.
    setTimeout(() => void (isStopped || informer.start()), retryMs);
  });
  await informer.start();
  return () => {
    isStopped = true;
    return informer.stop();
  };
}

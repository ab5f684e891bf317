// The controller of the articles, by hand: keys in a queue, processNextItem, AddRateLimited,
// Forget.
import { metaNamespaceKey } from "@listwatch/core-fifo";
import { SharedInformer } from "@listwatch/shared-informer";
import { WorkQueue } from "@listwatch/workqueue";
import { createPod, deletePod, labelPod, pods, type Pod } from "./support/cluster.ts";

const queue = new WorkQueue<string>();
const informer = new SharedInformer<Pod>({ listerWatcher: pods });
informer.addEventHandler({
  onAdd: (pod) => queue.add(metaNamespaceKey(pod)),
  onUpdate: (_, pod) => queue.add(metaNamespaceKey(pod)),
  onDelete: ({ key }) => queue.add(key),
});

async function processNextItem(): Promise<boolean> {
  using work = await queue.get();
  if (work === undefined) return false;
  try {
    await syncToStdout(work.item);
    queue.forget(work.item);
  } catch (error) {
    console.log(`retry ${queue.numRequeues(work.item) + 1}: ${String(error)}`);
    queue.addRateLimited(work.item);
  }
  return true;
}

async function syncToStdout(key: string): Promise<void> {
  const phase = informer.store.getByKey(key)?.metadata.labels?.["phase"];
  if (phase === "broken" && queue.numRequeues(key) < 2) throw new Error("not ready");
  console.log(phase === undefined ? `${key} does not exist` : `${key} is ${phase}`);
  if (phase === "new") await labelPod(key, { phase: "broken" });
  else if (phase === "broken") await deletePod(key);
  else queue.shutDown();
}
await createPod("shop/web-1", { phase: "new" });
void informer.run();
while (await processNextItem());
await informer[Symbol.asyncDispose]();

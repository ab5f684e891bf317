import type { Log } from "@listwatch/core-fifo";
import { SharedInformer } from "@listwatch/shared-informer";
import type { Cluster, ConfigMap } from "./cluster.ts";

/** Runs an informer of all config maps until the signal. */
export function runInformer(
  cluster: Cluster,
  signal: AbortSignal,
  log?: Log,
): SharedInformer<ConfigMap> {
  const informer = new SharedInformer<ConfigMap>({
    name: "configmaps",
    clock: cluster.clock,
    listerWatcher: cluster.source(),
    telemetry: { log },
  });
  void informer.run(signal);
  return informer;
}

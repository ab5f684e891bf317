import type { Log } from "@listwatch/core-fifo/base";
import { seededStream } from "../base/random-text.ts";
import type { ServerCore } from "../verbs/server-core.ts";
import { Cluster, type SendWrite } from "./cluster.ts";
import type { Controller } from "./controller.ts";
import { ControllerManager } from "./controller-manager.ts";
import { type ControllerName, controllerNames } from "./controller-name.ts";
import { CronJobController } from "./cron-job.ts";
import { DaemonSetController } from "./daemon-set.ts";
import { DeploymentController } from "./deployment.ts";
import { EndpointSliceController } from "./endpoint-slices.ts";
import { JobController } from "./job.ts";
import type { PodHook } from "./pod-hook.ts";
import { PodController } from "./pods.ts";
import { ReplicaSetController, ReplicationManager } from "./replica-set.ts";
import { ResourceQuotaController } from "./resource-quota.ts";
import { ServiceAccountController } from "./service-accounts.ts";
import { StatefulSetController } from "./stateful-set.ts";

/** Choices of the controllers of a server. */
export interface ControllerChoices {
  readonly names: readonly ControllerName[];
  readonly pods: PodHook | undefined;
  readonly seed: number | string;
  readonly log: Log;
  readonly send: SendWrite;
}

const constructors: Readonly<Record<ControllerName, new (cluster: Cluster) => Controller>> = {
  deployments: DeploymentController,
  replicasets: ReplicaSetController,
  replicationcontrollers: ReplicationManager,
  resourcequotas: ResourceQuotaController,
  statefulsets: StatefulSetController,
  daemonsets: DaemonSetController,
  cronjobs: CronJobController,
  jobs: JobController,
  endpointslices: EndpointSliceController,
  serviceaccounts: ServiceAccountController,
};

/** Starts controllers, which then follow the writes of a server. */
export function startControllers(core: ServerCore, choices: ControllerChoices): ControllerManager {
  const { log, names, pods, seed, send } = choices;
  const cluster = new Cluster(core, seededStream(seed, "controllers"), send);
  const controllers = new Map<string, Controller>();
  // Pods first, then what observes them, so that sums are computed from settled parts.
  controllers.set("pods", new PodController(cluster, pods, (key) => manager.enqueue("pods", key)));
  for (const name of controllerNames.toReversed()) {
    if (names.includes(name)) controllers.set(name, new constructors[name](cluster));
  }
  const manager = new ControllerManager(cluster, controllers, log);
  core.storage.onCommit((store, event) => manager.changed(store, event));
  manager.reload();
  return manager;
}

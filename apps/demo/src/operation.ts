import type { DeploymentPlan } from "./cluster-plan.ts";
import type { Manifest, PodFacts } from "./pod-states.ts";

/**
 * One request that a component of a cluster (scheduler, kubelet, controller) sends to its API
 * server.
 */
export type Operation =
  | { readonly verb: "create"; readonly collection: string; readonly object: Manifest }
  | { readonly verb: "patch"; readonly path: string; readonly body: object }
  | { readonly verb: "bind"; readonly path: string; readonly node: string }
  | { readonly verb: "delete"; readonly path: string; readonly gracePeriodSeconds?: number };

/** Creates an object in a collection. */
export function createObject(collection: string, object: Manifest): Operation {
  return { verb: "create", collection, object };
}

/** Creates the Deployment of a plan. */
export function createDeployment(plan: DeploymentPlan): Operation {
  const { namespace, name, image, port, minReplicas } = plan;
  const labels = { app: name };
  const containers = [{ name, image, ports: [{ containerPort: port }] }];
  return createObject(`/apis/apps/v1/namespaces/${namespace}/deployments`, {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace, labels },
    spec: {
      replicas: minReplicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    },
  });
}

/** Replaces the status of a pod. */
export function patchStatus(pod: PodFacts, status: object): Operation {
  return { verb: "patch", path: `${podPath(pod)}/status`, body: { status } };
}

/** The path of a pod on the API server. */
export function podPath({ name, namespace }: PodFacts): string {
  return `/api/v1/namespaces/${namespace}/pods/${name}`;
}

import type { ApiObject } from "../api/api-object.ts";
import { ApiError } from "../api/api-error.ts";
import { text } from "../base/read-fields.ts";
import type { Cluster } from "./cluster.ts";
import { type Change, type Controller, ownKey } from "./controller.ts";

const account = "default";
const authority = "kube-root-ca.crt";
// pkg/controller/certificates/rootcacertpublisher/publisher.go
const description =
  "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.";

/**
 * Gives each namespace the service account `default` and the ConfigMap `kube-root-ca.crt`
 * (k8s.io/kubernetes pkg/controller/serviceaccount and rootcacertpublisher).
 */
export class ServiceAccountController implements Controller {
  readonly watches: Controller["watches"] = {
    namespaces: ownKey,
    serviceaccounts: (change) => namespaceOfRemoved(change, account),
    configmaps: (change) => namespaceOfRemoved(change, authority),
  };
  readonly #cluster: Cluster;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  async reconcile(namespace: string): Promise<void> {
    const stored = this.#cluster.get("namespaces", namespace);
    if (stored === undefined || stored.isTerminating) return;
    if (text(stored.object, "status", "phase") === "Terminating") return;
    await this.#provide("serviceaccounts", "service-account-controller", {
      metadata: { name: account, namespace },
    });
    await this.#provide("configmaps", "root-ca-cert-publisher", {
      metadata: {
        name: authority,
        namespace,
        annotations: { "kubernetes.io/description": description },
      },
      data: { "ca.crt": "" },
    });
  }

  async #provide(resource: string, controller: string, object: ApiObject): Promise<void> {
    const { name = "", namespace = "" } = object.metadata;
    if (this.#cluster.get(resource, `${namespace}/${name}`) !== undefined) return;
    try {
      await this.#cluster.controller(controller).create(resource, object);
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== "AlreadyExists") throw error;
    }
  }
}

function namespaceOfRemoved({ isDeleted, stored }: Change, name: string): Iterable<string> {
  return isDeleted && stored.name === name ? [stored.namespace] : [];
}

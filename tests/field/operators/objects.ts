import type { ApiObject } from "@listwatch/fake-apiserver";

const labels = { app: "web" };

/** A definition as kopf's and Pepr's installations create it. */
function definition(group: string, version: string, kind: string, scope: string): ApiObject {
  const singular = kind.toLowerCase();
  const plural = `${singular}s`;
  const openAPIV3Schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { kind, plural, singular },
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

/** A deployment, and what some of the operators expect in a cluster. */
export const objects: readonly ApiObject[] = [
  { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } },
  { apiVersion: "v1", kind: "Namespace", metadata: { name: "pepr-system" } },
  definition("pepr.dev", "v1", "PeprStore", "Namespaced"),
  definition("kopf.dev", "v1", "ClusterKopfPeering", "Cluster"),
  { apiVersion: "kopf.dev/v1", kind: "ClusterKopfPeering", metadata: { name: "notes" } },
  {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace: "shop" },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "web", image: "web:1" }] },
      },
    },
  },
];

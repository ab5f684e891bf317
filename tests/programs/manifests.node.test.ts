import { createConnection } from "@listwatch/client";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { expect, test } from "vitest";
import {
  applyManifests,
  isOfPrometheusOperator,
  manifestsOfPages,
} from "../support/page-manifests.ts";

/** Definitions without a schema: that of the release is used with a real server. */
const monitoring = ["PodMonitor", "PrometheusRule", "ServiceMonitor"].map((kind) => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${kind.toLowerCase()}s.monitoring.coreos.com` },
  spec: {
    group: "monitoring.coreos.com",
    scope: "Namespaced",
    names: { kind, plural: `${kind.toLowerCase()}s` },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        },
      },
    ],
  },
}));

test("each manifest of a page is an object that the server takes without a warning", async () => {
  const api = new FakeApiServer({ bootstrap: "full" });
  const connection = createConnection({
    server: "http://cluster",
    fetch: (request) => api.fetch(request),
  });
  const manifests = manifestsOfPages();
  const applied = await applyManifests(connection, manifests, monitoring);
  expect(applied).toHaveLength(manifests.length);
  expect(new Set(applied.map(({ object }) => object.kind))).toEqual(
    new Set([
      "ClusterRole",
      "ClusterRoleBinding",
      "CustomResourceDefinition",
      "Deployment",
      "Namespace",
      "NetworkPolicy",
      "Pod",
      "PodMonitor",
      "PrometheusRule",
      "Role",
      "RoleBinding",
      "ServiceAccount",
    ]),
  );
  expect(manifests.filter(isOfPrometheusOperator)).toHaveLength(2);
});

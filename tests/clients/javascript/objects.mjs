export const namespace = "default";

export function configMap(name, data = {}, metadata = {}) {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace, ...metadata }, data };
}

export function deployment(name) {
  const labels = { app: name };
  const container = { name: "main", image: "nginx:1.28", ports: [{ containerPort: 80 }] };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  };
}

export function widgetDefinition() {
  // The client renames members with dashes.
  const anything = { type: "object", x_kubernetes_preserve_unknown_fields: true };
  const schema = { type: "object", properties: { spec: anything, status: anything } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "widgets", singular: "widget", kind: "Widget" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
          subresources: { status: {} },
        },
      ],
    },
  };
}

/**
 * The definition of the custom resource `widgets` with one version.
 *
 * @param openAPIV3Schema of the version
 * @param more further members of the version, such as its subresources
 * @param names further names, such as short ones
 */
export function widgetsCrd(
  openAPIV3Schema: object = { type: "object" },
  more: object = {},
  names: object = {},
) {
  const version = { name: "v1", served: true, storage: true, schema: { openAPIV3Schema }, ...more };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "widgets", kind: "Widget", ...names },
      versions: [version],
    },
  };
}

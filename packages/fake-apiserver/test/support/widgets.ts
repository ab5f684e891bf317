import type { ResourceDefinition, ServedVersion } from "../../src/api/resource-definition.ts";

/** A plain served version. */
export function version(name: string, rest: Partial<ServedVersion> = {}): ServedVersion {
  return { name, deprecated: false, columns: [], selectableFields: [], status: false, ...rest };
}

export const widgets: ResourceDefinition = {
  group: "example.com",
  plural: "widgets",
  singular: "widget",
  kind: "Widget",
  listKind: "WidgetList",
  shortNames: ["wd"],
  categories: ["all"],
  namespaced: true,
  custom: true,
  versions: [
    version("v1beta1"),
    version("v1", {
      status: true,
      scale: { specReplicas: ".spec.replicas", statusReplicas: ".status.replicas" },
      schema: { type: "object", description: "A widget", properties: { spec: { type: "object" } } },
    }),
  ],
  storageVersion: "v1",
  unconditionalUpdate: false,
  createOnUpdate: false,
  hasGeneration: true,
  returnsDeletedObject: false,
  graceful: false,
};

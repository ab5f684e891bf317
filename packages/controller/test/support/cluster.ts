import { defineResource } from "@listwatch/client";
// @boundaries-ignore a file of the repository that belongs to no package
import type { ConfigMap } from "../../../../tests/support/cluster.ts";

// @boundaries-ignore as above
export * from "../../../../tests/support/cluster.ts";
// @boundaries-ignore as above
export { sourceForm } from "../../../../tests/support/object-form.ts";

export const configMaps = defineResource<ConfigMap>({
  group: "",
  version: "v1",
  resource: "configmaps",
  kind: "ConfigMap",
  scope: "Namespaced",
});

import { endpointsRules } from "../rules/endpoints.ts";
import { fill, each, withMembersOf } from "./defaults/fill.ts";
import type { ApiObject } from "../api/api-object.ts";
import { textOf } from "../base/go-text.ts";
import { objects, text } from "../base/read-fields.ts";
import { ageColumn, builtinColumn, shortened } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";

/** Endpoints of the core group. */
export const endpointsKind: Kind = defineKind({
  version: "v1",
  kind: "Endpoints",
  rules: endpointsRules,
  defaults: endpointsDefaults,
  unconditionalUpdate: true,
  plural: "endpoints",
  shortNames: ["ep"],
  createOnUpdate: true,
  deprecation: "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
  columns: [builtinColumn("Endpoints", addressesAndPorts), ageColumn],
});

function addressesAndPorts(object: ApiObject): string {
  const all = objects(object, "subsets").flatMap((subset) => {
    const addresses = objects(subset, "addresses").map((address) => text(address, "ip"));
    const ports = objects(subset, "ports");
    if (ports.length === 0) return addresses;
    return ports.flatMap((port) =>
      addresses.map((address) => `${address}:${textOf(port["port"])}`),
    );
  });
  return shortened(all);
}

/** The defaults of an Endpoints object. */
function endpointsDefaults(endpoints: ApiObject): ApiObject {
  const filled = each(endpoints, "subsets", (subset) =>
    each(subset, "ports", (port) => fill(port, { protocol: "TCP" })),
  );
  return withMembersOf(filled, endpoints);
}

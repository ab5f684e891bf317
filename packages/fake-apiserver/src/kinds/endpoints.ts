import type { ApiObject } from "../api/resource-definition.ts";
import { objects, text } from "../base/read-fields.ts";
import { ageColumn, builtinColumn, shortened } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";

/** Endpoints of the core group. */
export const endpointsKind: Kind = defineKind({
  version: "v1",
  kind: "Endpoints",
  unconditionalUpdate: true,
  plural: "endpoints",
  shortNames: ["ep"],
  createOnUpdate: true,
  columns: [
    builtinColumn("Endpoints", "The addresses and ports of the endpoints.", addressesAndPorts),
    ageColumn,
  ],
  docs: {
    "core.Endpoints": {
      description:
        "Endpoints is the set of addresses that implement a service. EndpointSlices replace it.",
      fields: { subsets: ["[]object", "Sets of addresses with common ports."] },
    },
  },
});

function addressesAndPorts(object: ApiObject): string {
  const all = objects(object, "subsets").flatMap((subset) => {
    const addresses = objects(subset, "addresses").map((address) => text(address, "ip"));
    const ports = objects(subset, "ports");
    if (ports.length === 0) return addresses;
    return ports.flatMap((port) =>
      addresses.map((address) => `${address}:${String(port["port"])}`),
    );
  });
  return shortened(all);
}

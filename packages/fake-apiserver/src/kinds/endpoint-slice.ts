import type { JsonObject } from "@listwatch/core-fifo/base";
import { objects, text, texts } from "../base/read-fields.ts";
import { ageColumn, builtinColumn, shortened } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";

/** EndpointSlice of discovery.k8s.io. */
export const endpointSliceKind: Kind = defineKind({
  group: "discovery.k8s.io",
  version: "v1",
  kind: "EndpointSlice",
  generation: true,
  columns: [
    builtinColumn("AddressType", "The type of address carried by this EndpointSlice.", (slice) =>
      text(slice, "addressType"),
    ),
    builtinColumn(
      "Ports",
      "The list of network ports exposed by each endpoint in this slice.",
      (slice) => unsetOr(objects(slice, "ports").map(portNumber)),
    ),
    builtinColumn("Endpoints", "The list of network endpoints in this slice.", (slice) =>
      unsetOr(objects(slice, "endpoints").flatMap((one) => texts(one, "addresses"))),
    ),
    ageColumn,
  ],
  docs: {
    "discovery.EndpointSlice": {
      description: "EndpointSlice is a set of service endpoints.",
      fields: {
        addressType: ["string", "IPv4, IPv6 or FQDN. Immutable."],
        endpoints: ["[]object", "The endpoints, at most 1000."],
        ports: ["[]object", "The ports each endpoint exposes."],
      },
      required: ["addressType", "endpoints"],
    },
  },
});

function portNumber(port: JsonObject): string {
  const number = port["port"];
  return typeof number === "number" ? String(number) : "*";
}

function unsetOr(entries: readonly string[]): string {
  return entries.length === 0 ? "<unset>" : shortened(entries);
}

import { endpointSliceRules } from "../rules/endpoints.ts";
import { fill, each, withMembersOf } from "./defaults/fill.ts";
import type { ApiObject } from "../api/api-object.ts";
import { isJsonEqual, type JsonObject } from "@listwatch/core-fifo/base";
import { objects, text, texts } from "../base/read-fields.ts";
import { ageColumn, builtinColumn, shortened } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";

/** EndpointSlice of discovery.k8s.io. */
export const endpointSliceKind: Kind = defineKind({
  group: "discovery.k8s.io",
  version: "v1",
  kind: "EndpointSlice",
  unconditionalUpdate: true,
  rules: endpointSliceRules,
  defaults: endpointSliceDefaults,
  generation: true,
  strategy: () => ({
    prepareForCreate: (slice) => withoutTopology(slice, undefined),
    prepareForUpdate: (slice, stored) => {
      const kept = withoutTopology(slice, stored);
      if (kept === slice) return slice;
      // A server counts the change before it drops the field.
      const generation = (stored.metadata.generation ?? 0) + 1;
      return { ...kept, metadata: { ...kept.metadata, generation } };
    },
  }),
  desiredState: ({ apiVersion: _version, kind: _kind, metadata: { labels }, ...fields }) => ({
    ...fields,
    labels,
  }),
  columns: [
    builtinColumn("AddressType", (slice) => text(slice, "addressType")),
    builtinColumn("Ports", (slice) => unsetOr(objects(slice, "ports").map(portNumber))),
    builtinColumn("Endpoints", (slice) =>
      unsetOr(objects(slice, "endpoints").flatMap((one) => texts(one, "addresses"))),
    ),
    ageColumn,
  ],
});

function portNumber(port: JsonObject): string {
  const number = port["port"];
  return typeof number === "number" ? String(number) : "*";
}

function unsetOr(entries: readonly string[]): string {
  return entries.length === 0 ? "<unset>" : shortened(entries);
}

const hostname = "kubernetes.io/hostname";

// k8s.io/kubernetes pkg/registry/discovery/endpointslice/strategy.go, `dropTopologyOnV1`: the field
// cannot be written in v1, but slices that were loaded with it keep the names of their nodes.
function withoutTopology(slice: ApiObject, stored: ApiObject | undefined): ApiObject {
  const isSame = stored !== undefined && isJsonEqual(stored["endpoints"], slice["endpoints"]);
  if (isSame) return slice;
  const known = new Set(objects(stored ?? {}, "endpoints").map(nodeInTopology));
  return withMembersOf(
    each(slice, "endpoints", (endpoint) => {
      const { deprecatedTopology: _dropped, ...kept } = endpoint;
      const node = nodeInTopology(endpoint);
      const isKept = kept["nodeName"] === undefined && node !== "" && known.has(node);
      return isKept ? { ...kept, nodeName: node } : kept;
    }),
    slice,
  );
}

function nodeInTopology(endpoint: JsonObject): string {
  return text(endpoint, "deprecatedTopology", hostname);
}

/** The defaults of an EndpointSlice. */
function endpointSliceDefaults(slice: ApiObject): ApiObject {
  const ports = each(slice, "ports", (port) => {
    // Only what is not there has a default: a server refuses the protocol "".
    const { name = "", protocol } = port;
    return { ...port, name, protocol: protocol ?? "TCP" };
  });
  return withMembersOf(
    each(ports, "endpoints", (endpoint) => fill(endpoint, { conditions: {} })),
    slice,
  );
}

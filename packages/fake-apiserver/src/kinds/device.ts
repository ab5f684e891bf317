import { ageColumn, builtinColumn } from "./columns.ts";
import type { JsonObject } from "@listwatch/core-fifo/base";
import { count, field, objects, text } from "../base/read-fields.ts";
import { each, fill, specDefaults, within } from "./defaults/fill.ts";
import type { ApiObject } from "../api/api-object.ts";
import { type Kind, defineKind } from "./define-kind.ts";

// pkg/apis/resource/v1/defaults.go.
function requestDefaults(request: JsonObject): JsonObject {
  const filled = fill(request, { allocationMode: "ExactCount" });
  const counted =
    filled["allocationMode"] === "ExactCount" && count(filled, "count") === 0
      ? { ...filled, count: 1 }
      : filled;
  return each(counted, "tolerations", (toleration) => fill(toleration, { operator: "Equal" }));
}

function claimDefaults(spec: JsonObject): JsonObject {
  return within(spec, "devices", (devices) =>
    each(devices, "requests", (request) =>
      each(within(request, "exactly", requestDefaults), "firstAvailable", requestDefaults),
    ),
  );
}

const resource = { group: "resource.k8s.io", version: "v1" } as const;

/** DeviceClass of resource.k8s.io. */
export const deviceClassKind: Kind = defineKind({
  ...resource,
  kind: "DeviceClass",
  returnsDeletedObject: true,
  unconditionalUpdate: true,
  plural: "deviceclasses",
  cluster: true,
  generation: true,
  columns: [ageColumn],
});

/** ResourceClaim of resource.k8s.io. */
export const resourceClaimKind: Kind = defineKind({
  ...resource,
  kind: "ResourceClaim",
  returnsDeletedObject: true,
  unconditionalUpdate: true,
  defaults: specDefaults(claimDefaults),
  status: true,
  columns: [builtinColumn("State", "A summary of the current state.", claimState), ageColumn],
});

/** ResourceClaimTemplate of resource.k8s.io. */
export const resourceClaimTemplateKind: Kind = defineKind({
  ...resource,
  kind: "ResourceClaimTemplate",
  returnsDeletedObject: true,
  defaults: specDefaults((spec) => within(spec, "spec", claimDefaults)),
  unconditionalUpdate: true,
  columns: [ageColumn],
});

/** ResourceSlice of resource.k8s.io. */
export const resourceSliceKind: Kind = defineKind({
  ...resource,
  kind: "ResourceSlice",
  returnsDeletedObject: true,
  unconditionalUpdate: true,
  cluster: true,
  generation: true,
  selectableFields: ["spec.nodeName", "spec.driver"],
  columns: [
    builtinColumn("Node", "The node that has the devices.", (slice) =>
      text(slice, "spec", "nodeName"),
    ),
    builtinColumn("Driver", "The driver of the devices.", (slice) => text(slice, "spec", "driver")),
    builtinColumn("Pool", "The pool of the devices.", (slice) =>
      text(slice, "spec", "pool", "name"),
    ),
    ageColumn,
  ],
});

// k8s.io/kubernetes pkg/printers/internalversion: `resourceClaimState`.
function claimState(claim: ApiObject): string {
  const isDeleted = claim.metadata.deletionTimestamp !== undefined;
  const states = isDeleted ? ["deleted"] : [];
  if (field(claim, "status", "allocation") === undefined) {
    if (!isDeleted) states.push("pending");
    return states.join(",");
  }
  states.push("allocated");
  if (objects(claim, "status", "reservedFor").length > 0) states.push("reserved");
  return states.join(",");
}

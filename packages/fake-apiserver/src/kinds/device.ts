import { ageColumn, builtinColumn } from "./columns.ts";
import { type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { PrinterColumn } from "../api/resource-definition.ts";
import { timestamp } from "../base/server-clock.ts";
import { count, field, objects, text } from "../base/read-fields.ts";
import {
  deviceClassRules,
  resourceClaimRules,
  resourceClaimTemplateRules,
} from "../rules/device-claims.ts";
import { deviceTaintRules } from "../rules/device-taints.ts";
import { resourceSliceRules } from "../rules/resource-slices.ts";
import { each, fill, specDefaults, within, withMembersOf } from "./defaults/fill.ts";
import { dropFromResourceSlice } from "./disabled-fields.ts";
import { ageOf } from "./duration.ts";
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
  rules: deviceClassRules,
  columns: [ageColumn],
});

/** DeviceTaintRule of resource.k8s.io. */
export const deviceTaintRuleKind: Kind = defineKind({
  ...resource,
  kind: "DeviceTaintRule",
  storageHashVersion: "v1beta2",
  cluster: true,
  status: true,
  generation: true,
  rules: deviceTaintRules,
  strategy: ({ clock }) => ({
    conform: (rule) => ({
      object: changeTaint(rule, (taint) => fill(taint, { timeAdded: timestamp(clock.now()) })),
      unknown: [],
    }),
    prepareForUpdate: (rule, stored) => renewTaint(rule, stored, timestamp(clock.now())),
  }),
  columns: [
    taintColumn("Key", "key"),
    taintColumn("Value", "value"),
    taintColumn("Effect", "effect"),
    builtinColumn("TimeAdded", ({ spec }, now) => {
      const added = text(spec, "taint", "timeAdded");
      return added === "" ? "" : ageOf(added, now);
    }),
    ageColumn,
  ],
});

function taintColumn(name: string, member: string): PrinterColumn {
  return builtinColumn(name, ({ spec }) => text(spec, "taint", member));
}

// pkg/registry/resource/devicetaintrule: another effect counts from now on.
function renewTaint(rule: ApiObject, stored: ApiObject, now: string): ApiObject {
  const { effect, timeAdded } = recordOf(recordOf(stored["spec"])["taint"]);
  return changeTaint(rule, (taint) => {
    const isOther = taint["effect"] !== effect && taint["timeAdded"] === timeAdded;
    return isOther ? { ...taint, timeAdded: now } : taint;
  });
}

function changeTaint(rule: ApiObject, change: (taint: JsonObject) => JsonObject): ApiObject {
  return withMembersOf(
    within(rule, "spec", (spec) => within(spec, "taint", change)),
    rule,
  );
}

/** ResourceClaim of resource.k8s.io. */
export const resourceClaimKind: Kind = defineKind({
  ...resource,
  kind: "ResourceClaim",
  returnsDeletedObject: true,
  unconditionalUpdate: true,
  defaults: specDefaults(claimDefaults),
  rules: resourceClaimRules,
  status: true,
  columns: [builtinColumn("State", claimState), ageColumn],
});

/** ResourceClaimTemplate of resource.k8s.io. */
export const resourceClaimTemplateKind: Kind = defineKind({
  ...resource,
  kind: "ResourceClaimTemplate",
  returnsDeletedObject: true,
  defaults: specDefaults((spec) => within(spec, "spec", claimDefaults)),
  unconditionalUpdate: true,
  rules: resourceClaimTemplateRules,
  columns: [ageColumn],
});

/** ResourceSlice of resource.k8s.io. */
export const resourceSliceKind: Kind = defineKind({
  ...resource,
  kind: "ResourceSlice",
  returnsDeletedObject: true,
  unconditionalUpdate: true,
  cluster: true,
  dropDisabled: dropFromResourceSlice,
  rules: resourceSliceRules,
  generation: true,
  selectableFields: ["spec.nodeName", "spec.driver"],
  columns: [
    builtinColumn("Node", (slice) => text(slice, "spec", "nodeName")),
    builtinColumn("Driver", (slice) => text(slice, "spec", "driver")),
    builtinColumn("Pool", (slice) => text(slice, "spec", "pool", "name")),
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

import { limitRangeRules, resourceQuotaRules } from "../rules/limits.ts";
import { type JsonObject, isRecord, recordOf } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { compareBytes, textOf } from "../base/go-text.ts";
import { orNone } from "../base/read-fields.ts";
import { specDefaults, each, fill } from "./defaults/fill.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";

/** LimitRange of the core group. */
export const limitRangeKind: Kind = defineKind({
  version: "v1",
  kind: "LimitRange",
  rules: limitRangeRules,
  defaults: specDefaults(limitRangeDefaults),
  unconditionalUpdate: true,
  strategy: () => ({
    // pkg/registry/core/limitrange/strategy.go: its name is a UUID unless it has one.
    prepareForCreate: ({ metadata, ...range }) => ({
      ...range,
      metadata: { ...metadata, name: orNone(metadata.name ?? "", metadata.uid ?? "") },
    }),
  }),
  shortNames: ["limits"],
  createOnUpdate: true,
});

/** ResourceQuota of the core group. */
export const resourceQuotaKind: Kind = defineKind({
  version: "v1",
  kind: "ResourceQuota",
  rules: resourceQuotaRules,
  unconditionalUpdate: true,
  shortNames: ["quota"],
  columns: [
    builtinColumn("Request", (quota) => usage(quota, false)),
    builtinColumn("Limit", (quota) => usage(quota, true)),
    ageColumn,
  ],
  status: true,
  returnsDeletedObject: true,
});

const limitFields = ["default", "defaultRequest"] as const;

/** The defaults of the spec of a LimitRange. */
function limitRangeDefaults(spec: JsonObject): JsonObject {
  return each(spec, "limits", (limit) => {
    if (limit["type"] !== "Container") return limit;
    const [most, wanted] = limitFields;
    const max = isRecord(limit["max"]) ? limit["max"] : {};
    const min = isRecord(limit["min"]) ? limit["min"] : {};
    const given = isRecord(limit[most]) ? limit[most] : {};
    const limits = fill(given, max);
    const asked = isRecord(limit[wanted]) ? limit[wanted] : {};
    const requests = fill(fill(asked, limits), min);
    const filled = Object.keys(limits).length > 0 ? { ...limit, [most]: limits } : limit;
    return Object.keys(requests).length > 0 ? { ...filled, [wanted]: requests } : filled;
  });
}

/** The resources of a quota that are limits, or those that are not. */
function usage(quota: ApiObject, ofLimits: boolean): string {
  const status = recordOf(quota["status"]);
  const hard = recordOf(status["hard"]);
  const used = recordOf(status["used"]);
  return Object.keys(hard)
    .filter((name) => name.startsWith("limits.") === ofLimits)
    .toSorted(compareBytes)
    .map((name) => `${name}: ${textOf(used[name] ?? "0")}/${textOf(hard[name])}`)
    .join(", ");
}

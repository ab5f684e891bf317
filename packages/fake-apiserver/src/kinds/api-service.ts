import { apiServiceDefaults } from "./defaults/registrations.ts";
import { specDefaults } from "./defaults/fill.ts";
import { checkPathSegment } from "../validation/names.ts";
import type { ApiObject } from "../api/api-object.ts";
import { timestamp } from "../base/server-clock.ts";
import { field, objects, text } from "../base/read-fields.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";
import { wholeAndChanges } from "./metadata-repeats.ts";
import { apiServiceRules } from "../rules/api-service.ts";

/** APIService of apiregistration.k8s.io. */
export const apiServiceKind: Kind = defineKind({
  group: "apiregistration.k8s.io",
  version: "v1",
  kind: "APIService",
  rules: apiServiceRules,
  metadataRepeats: wholeAndChanges,
  repeatsErrors: true,
  defaults: specDefaults(apiServiceDefaults),
  nameRule: checkPathSegment,
  categories: ["api-extensions"],
  cluster: true,
  status: true,
  strategy: ({ clock }) => ({
    // kube-aggregator pkg/registry/apiservice/strategy.go.
    prepareForCreate: (service) => {
      if (field(service, "spec", "service") !== undefined) return service;
      const conditions = [
        {
          type: "Available",
          status: "True",
          lastTransitionTime: timestamp(clock.now()),
          reason: "Local",
          message: "Local APIServices are always available",
        },
      ];
      return { ...service, status: { conditions } };
    },
  }),
  columns: [
    builtinColumn("Service", (object) => {
      const service = field(object, "spec", "service");
      return service === undefined
        ? "Local"
        : `${text(service, "namespace")}/${text(service, "name")}`;
    }),
    builtinColumn("Available", available),
    ageColumn,
  ],
});

function available(object: ApiObject): string {
  const condition = objects(object, "status", "conditions").find(
    (one) => text(one, "type") === "Available",
  );
  const status = text(condition, "status");
  if (status === "") return "Unknown";
  return status === "True" ? status : `${status} (${text(condition, "reason")})`;
}

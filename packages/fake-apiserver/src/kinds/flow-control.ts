import { flowSchemaDefaults, priorityLevelDefaults } from "./defaults/registrations.ts";
import { specDefaults } from "./defaults/fill.ts";
import type { ApiObject } from "../api/api-object.ts";
import type { TableCell } from "../api/resource-definition.ts";
import { count, field, objects, orNone, text } from "../base/read-fields.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";
import { nothingAgain } from "./metadata-repeats.ts";
import { flowSchemaRules } from "../rules/flow-schema.ts";
import { priorityLevelRules } from "../rules/priority-level.ts";

/** FlowSchema of flowcontrol.apiserver.k8s.io. */
export const flowSchemaKind: Kind = defineKind({
  group: "flowcontrol.apiserver.k8s.io",
  version: "v1",
  kind: "FlowSchema",
  rules: flowSchemaRules,
  statusMetadataRepeats: nothingAgain,
  defaults: specDefaults(flowSchemaDefaults),
  cluster: true,
  status: true,
  generation: true,
  unconditionalUpdate: true,
  columns: [
    builtinColumn("PriorityLevel", (schema) =>
      text(schema, "spec", "priorityLevelConfiguration", "name"),
    ),
    builtinColumn("MatchingPrecedence", (schema) => count(schema, "spec", "matchingPrecedence")),
    builtinColumn("DistinguisherMethod", (schema) =>
      orNone(text(schema, "spec", "distinguisherMethod", "type")),
    ),
    ageColumn,
    builtinColumn("MissingPL", missingLevel),
  ],
});

/** PriorityLevelConfiguration of flowcontrol.apiserver.k8s.io. */
export const priorityLevelConfigurationKind: Kind = defineKind({
  group: "flowcontrol.apiserver.k8s.io",
  version: "v1",
  kind: "PriorityLevelConfiguration",
  rules: priorityLevelRules,
  statusMetadataRepeats: nothingAgain,
  defaults: specDefaults(priorityLevelDefaults),
  cluster: true,
  status: true,
  generation: true,
  unconditionalUpdate: true,
  columns: [
    builtinColumn("Type", (level) => text(level, "spec", "type")),
    builtinColumn("NominalConcurrencyShares", (level) =>
      numberOrNone(
        field(level, "spec", "limited") ?? field(level, "spec", "exempt"),
        "nominalConcurrencyShares",
      ),
    ),
    ...(
      [
        ["Queues", "queues"],
        ["HandSize", "handSize"],
        ["QueueLengthLimit", "queueLengthLimit"],
      ] as const
    ).map(([name, member]) =>
      builtinColumn(name, (level) =>
        numberOrNone(field(level, "spec", "limited", "limitResponse", "queuing"), member),
      ),
    ),
    ageColumn,
  ],
});

function missingLevel(schema: ApiObject): string {
  const dangling = objects(schema, "status", "conditions").find(
    (condition) => text(condition, "type") === "Dangling",
  );
  return text(dangling, "status") || "?";
}

function numberOrNone(object: unknown, name: string): TableCell {
  const value = field(object, name);
  return typeof value === "number" ? value : "<none>";
}

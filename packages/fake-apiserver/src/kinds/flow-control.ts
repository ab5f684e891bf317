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
    builtinColumn("PriorityLevel", "The priority level of the requests.", (schema) =>
      text(schema, "spec", "priorityLevelConfiguration", "name"),
    ),
    builtinColumn(
      "MatchingPrecedence",
      "The schema with the lowest one is looked at first.",
      (schema) => count(schema, "spec", "matchingPrecedence"),
    ),
    builtinColumn("DistinguisherMethod", "What tells the flows of the schema apart.", (schema) =>
      orNone(text(schema, "spec", "distinguisherMethod", "type")),
    ),
    ageColumn,
    builtinColumn("MissingPL", "Whether the priority level does not exist.", missingLevel),
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
    builtinColumn("Type", "Limited or Exempt.", (level) => text(level, "spec", "type")),
    builtinColumn("NominalConcurrencyShares", "How large the share of the level is.", (level) =>
      numberOrNone(
        field(level, "spec", "limited") ?? field(level, "spec", "exempt"),
        "nominalConcurrencyShares",
      ),
    ),
    ...(
      [
        ["Queues", "The number of queues.", "queues"],
        ["HandSize", "The number of queues that a flow may use.", "handSize"],
        ["QueueLengthLimit", "How many requests may wait in a queue.", "queueLengthLimit"],
      ] as const
    ).map(([name, description, member]) =>
      builtinColumn(name, description, (level) =>
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

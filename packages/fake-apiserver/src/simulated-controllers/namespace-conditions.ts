import { type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import { objects, text } from "../base/read-fields.ts";
import type { StoredObject } from "../storage/stored-object.ts";

/** Objects of a deleted namespace that are still there. */
export interface Remaining {
  /** Resource and group: `configmaps.`, `deployments.apps`. */
  readonly resource: string;
  readonly stored: readonly StoredObject[];
}

/** Reason and message of a condition when something remains. */
type Problem = readonly [reason: string, message: string] | undefined;

/**
 * Returns the conditions of a deleted namespace, others included (k8s.io/kubernetes
 * pkg/controller/namespace/deletion/status_condition_utils.go).
 */
export function namespaceConditions(
  status: unknown,
  remaining: readonly Remaining[],
  time: string,
): readonly JsonObject[] {
  const before = objects(status, "conditions");
  const finalizers = new Map<string, number>();
  for (const { object } of remaining.flatMap(({ stored }) => stored)) {
    for (const name of object.metadata.finalizers ?? []) {
      finalizers.set(name, (finalizers.get(name) ?? 0) + 1);
    }
  }
  const resources = remaining.map(
    ({ resource, stored }) => `${resource} has ${stored.length} resource instances`,
  );
  const holders = Array.from(
    finalizers,
    ([name, count]) => `${name} in ${count} resource instances`,
  );
  const own = [
    ["NamespaceDeletionDiscoveryFailure", "ResourcesDiscovered", discovered],
    ["NamespaceDeletionGroupVersionParsingFailure", "ParsedGroupVersions", parsed],
    ["NamespaceDeletionContentFailure", "ContentDeleted", deleted],
    ["NamespaceContentRemaining", "ContentRemoved", removed, some("Resources", resources)],
    [
      "NamespaceFinalizersRemaining",
      "ContentHasNoFinalizers",
      finished,
      some("Finalizers", holders),
    ],
  ] as const;
  const types = new Set<string>(own.map(([type]) => type));
  return [
    ...before.filter((one) => !types.has(text(one, "type"))),
    ...own.map(([type, okReason, okMessage, problem]) => {
      const state = problem === undefined ? "False" : "True";
      const [reason, message] = problem ?? [okReason, okMessage];
      const known = recordOf(before.find((one) => one["type"] === type));
      const lastTransitionTime = known["status"] === state ? known["lastTransitionTime"] : time;
      return { type, status: state, lastTransitionTime, reason, message };
    }),
  ];
}

const discovered = "All resources successfully discovered";
const parsed = "All legacy kube types successfully parsed";
const deleted = "All content successfully deleted, may be waiting on finalization";
const removed = "All content successfully removed";
const finished = "All content-preserving finalizers finished";

const remainingTexts = {
  Resources: "Some resources are remaining",
  Finalizers: "Some content in the namespace has finalizers remaining",
};

function some(what: keyof typeof remainingTexts, items: readonly string[]): Problem {
  if (items.length === 0) return undefined;
  return [`Some${what}Remain`, `${remainingTexts[what]}: ${items.toSorted().join(", ")}`];
}

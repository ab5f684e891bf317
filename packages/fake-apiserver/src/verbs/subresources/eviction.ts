import { recordOf } from "@listwatch/core-fifo/base";
import { badRequest, plainServerError } from "../../api/errors.ts";
import type { ApiObject } from "../../api/api-object.ts";
import { createdStatus } from "../../api/status.ts";
import { text } from "../../base/read-fields.ts";
import { timestamp } from "../../base/server-clock.ts";
import type { Steps } from "../../base/steps.ts";
import { decodeDeleteOptions, type DeleteOptions } from "../../input/delete-options.ts";
import { podDisruptionBudgetKind } from "../../kinds/pod-disruption-budget.ts";
import type { Result } from "../../output/result.ts";
import { formatLabelSelector } from "../../selectors/format-label-selector.ts";
import { parseLabelSelector } from "../../selectors/label-selector.ts";
import type { StoredObject } from "../../storage/stored-object.ts";
import { checkPreconditions, deleteStored } from "../delete.ts";
import { existingObject } from "../get.ts";
import type { ResourceRequest } from "../resource-request.ts";
import { runWrite } from "../run-write.ts";
import { targetOf } from "../server-core.ts";
import { write } from "../write.ts";
import { takeDisruption } from "./disruption-budget.ts";
import { withPodCondition } from "./pod-condition.ts";
import { decodeSent } from "./sent-kind.ts";

const evictionKind = {
  group: "policy",
  version: "v1",
  kind: "Eviction",
  // k8s.io/kubernetes pkg/registry/core/pod/storage/eviction.go: `AcceptsGroupVersion`.
  alsoTaken: ["policy/v1beta1"],
} as const;
// The end of a pod that does not run disturbs nothing.
const ignoredPhases: ReadonlySet<string> = new Set(["Failed", "Pending", "Succeeded"]);

/** POST of a pod's eviction: a delete that asks the disruption budgets first. */
export async function evictPod(request: ResourceRequest): Promise<Result> {
  const { info } = request;
  const eviction = await decodeSent(request, evictionKind);
  if (eviction.metadata.name !== info.name) {
    throw badRequest("name in URL does not match name in Eviction object");
  }
  await runWrite(() => evictStored(request, eviction));
  return { type: "document", code: 201, body: createdStatus };
}

function* evictStored(request: ResourceRequest, eviction: ApiObject): Steps<void> {
  const { clock, definition, info, store } = request;
  const existing = existingObject(definition, store, info);
  const isFree = isIgnored(existing.object);
  const budget = isFree ? undefined : budgetOf(request, existing.object);
  const asked = decodeDeleteOptions(recordOf(eviction["deleteOptions"]));
  const options: DeleteOptions = { ...asked, dryRun: asked.dryRun || request.dryRun };
  const now = timestamp(clock.now());
  // The admission has seen the eviction; it does not see the delete as well.
  const target = { ...request, admission: undefined };
  if (isFree) {
    yield* deleteStored(target, existing, options);
    return;
  }
  if (budget !== undefined) {
    const changed = takeDisruption(budget.object, existing.object, now);
    const budgets = targetOf(request.core, podDisruptionBudgetKind.definition);
    if (changed !== undefined) write({ ...budgets, dryRun: options.dryRun }, changed, budget);
  }
  checkPreconditions(definition, existing, options);
  // The version it was asked for is not that of its last state.
  const unconditional = { ...options, resourceVersion: undefined };
  yield* deleteStored(target, announced(request, existing, options, now), unconditional);
}

function isIgnored(pod: ApiObject): boolean {
  return (
    pod.metadata.deletionTimestamp !== undefined || ignoredPhases.has(text(pod, "status", "phase"))
  );
}

/** The budget of a pod. @throws {ApiError} 500 for more than one */
function budgetOf({ core }: ResourceRequest, pod: ApiObject): StoredObject | undefined {
  const { store } = targetOf(core, podDisruptionBudgetKind.definition);
  const { labels, namespace = "" } = pod.metadata;
  const found = store.objectsWithin(`${namespace}/`).filter(({ object }) => {
    const { selector } = recordOf(object["spec"]);
    // An empty selector is for all pods, and none for no pod.
    if (selector === undefined || selector === null) return false;
    return parseLabelSelector(formatLabelSelector(selector)).matches(labels);
  });
  if (found.length > 1) {
    throw plainServerError(
      "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
    );
  }
  return found[0];
}

// Its last state contains the reason for the eviction.
function announced(
  request: ResourceRequest,
  existing: StoredObject,
  { dryRun }: DeleteOptions,
  now: string,
): StoredObject {
  if (dryRun) return existing;
  const pod = existing.object;
  const condition = {
    type: "DisruptionTarget",
    status: "True",
    reason: "EvictionByEvictionAPI",
    message: "Eviction API: evicting",
  } as const;
  const status = withPodCondition(pod["status"], condition, now);
  return write({ ...request, dryRun }, { ...pod, status }, existing);
}

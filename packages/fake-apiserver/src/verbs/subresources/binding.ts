import { recordOf } from "@listwatch/core-fifo/base";
import { badRequest, conflict, plainServerError } from "../../api/errors.ts";
import type { ApiObject } from "../../api/api-object.ts";
import { createdStatus } from "../../api/status.ts";
import { objects, text } from "../../base/read-fields.ts";
import { timestamp } from "../../base/server-clock.ts";
import { podKind } from "../../kinds/pod.ts";
import type { Result } from "../../output/result.ts";
import { notSupported, required } from "../../validation/field-errors.ts";
import { checkUid } from "../apply-update.ts";
import { existingObject } from "../get.ts";
import type { ResourceRequest } from "../resource-request.ts";
import { write } from "../write.ts";
import { targetOf } from "../server-core.ts";
import { withPodCondition } from "./pod-condition.ts";
import { decodeSent } from "./sent-kind.ts";

const bindingKind = { version: "v1", kind: "Binding" } as const;
const targetKinds: ReadonlySet<string> = new Set(["", "Node"]);
const bindingNames = { group: "", plural: "pods/binding", kind: "Binding" };

/**
 * POST of a binding, to a pod or to the collection of bindings: the pod of its name is to run on a
 * node.
 */
export async function bindPod(request: ResourceRequest): Promise<Result> {
  const { clock, core, dryRun, info } = request;
  const binding = await decodeSent(request, bindingKind);
  const { annotations, labels, name = "", uid } = binding.metadata;
  if (info.name !== "" && name !== info.name) {
    throw badRequest("name in URL does not match name in Binding object");
  }
  checkTarget(binding);
  const target = targetOf(core, podKind.definition);
  const { definition, store } = target;
  const existing = existingObject(definition, store, { namespace: info.namespace, name });
  checkUid(definition, existing, { uid });
  const pod = existing.object;
  const refusal = whyUnbindable(pod, name);
  if (refusal !== undefined) throw conflict(bindingNames, name, refusal);
  const now = timestamp(clock.now());
  const bound: ApiObject = {
    ...pod,
    metadata: {
      ...pod.metadata,
      ...(annotations && { annotations: { ...pod.metadata.annotations, ...annotations } }),
      ...(labels && { labels: { ...labels, ...pod.metadata.labels } }),
    },
    spec: { ...recordOf(pod["spec"]), nodeName: text(binding, "target", "name") },
    status: withPodCondition(pod["status"], { type: "PodScheduled", status: "True" }, now),
  };
  write({ ...target, dryRun }, bound, existing);
  return { type: "document", code: 201, body: createdStatus };
}

// k8s.io/kubernetes pkg/apis/core/validation: `ValidatePodBinding`. Its errors come as they are.
function checkTarget(binding: ApiObject): void {
  const kind = text(binding, "target", "kind");
  const errors = [
    ...(targetKinds.has(kind) ? [] : [notSupported("target.kind", kind, ["Node", "<empty>"])]),
    ...(text(binding, "target", "name") === "" ? [required("target.name")] : []),
  ].map(({ field, message }) => `${field}: ${message}`);
  if (errors.length === 0) return;
  throw plainServerError(errors.length === 1 ? errors.join("") : `[${errors.join(", ")}]`);
}

// k8s.io/kubernetes pkg/registry/core/pod/storage: `setPodNodeAndMetadata`.
function whyUnbindable(pod: ApiObject, name: string): string | undefined {
  const node = text(pod, "spec", "nodeName");
  if (pod.metadata.deletionTimestamp !== undefined) {
    return `pod ${name} is being deleted, cannot be assigned to a host`;
  }
  if (node !== "") return `pod ${name} is already assigned to node ${JSON.stringify(node)}`;
  if (objects(pod, "spec", "schedulingGates").length > 0) {
    return `pod ${name} has non-empty .spec.schedulingGates`;
  }
  return undefined;
}

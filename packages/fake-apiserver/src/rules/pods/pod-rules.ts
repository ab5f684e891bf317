import { type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../../api/errors.ts";
import type { ApiObject } from "../../api/api-object.ts";
import { count, objects, text } from "../../base/read-fields.ts";
import { checkAddress } from "../../validation/addresses.ts";
import { forbidden, invalid } from "../../validation/field-errors.ts";
import { checkDnsLabel, checkDnsSubdomain, checkQualifiedName } from "../../validation/names.ts";
import { checkImmutable, checkText } from "../../validation/values.ts";
import type { ObjectRules } from "../object-rules.ts";
import { checkPodAnnotations } from "./annotations.ts";
import { checkPodSpec } from "./pod-spec.ts";
import { checkPodChange } from "./pod-update.ts";
import { podWarnings } from "./pod-warnings.ts";

/** The rules of pods. */
export const podRules: ObjectRules = {
  create: (pod) => [...checkPod(pod), ...checkNewPod(pod)],
  update: (pod, stored) => [
    ...checkPod(pod),
    ...checkPodChange(recordOf(pod["spec"]), recordOf(stored["spec"])),
  ],
  status: checkPodStatus,
  // Controllers update pods all the time, so the server does not warn then.
  warnings: (pod, stored) =>
    stored === undefined ? [...nameWarning(pod), ...podWarnings("", pod)] : [],
};

/** A pod as it is, whatever it was before. */
export function checkPod(pod: ApiObject): readonly FieldError[] {
  const { annotations, name = "" } = pod.metadata;
  const spec = recordOf(pod["spec"]);
  return [
    ...checkPodAnnotations("metadata.annotations", recordOf(annotations), spec),
    ...checkPodSpec(spec, { field: "spec", podName: name }),
    ...(text(spec, "serviceAccountName") === "" ? checkNoTokens(spec) : []),
  ];
}

// A pod without an account can have no token of one.
function checkNoTokens(spec: JsonObject): readonly FieldError[] {
  const problem = "must not be specified when serviceAccountName is not set";
  return objects(spec, "volumes").flatMap((volume, index) =>
    objects(volume, "projected", "sources").flatMap((source, at) => {
      const field = `spec.volumes[${index}].projected.sources[${at}].serviceAccountToken`;
      return source["serviceAccountToken"] === undefined ? [] : [forbidden(field, problem)];
    }),
  );
}

function checkNewPod(pod: ApiObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (objects(pod, "spec", "ephemeralContainers").length > 0) {
    errors.push(forbidden("spec.ephemeralContainers", "cannot be set on create"));
  }
  const isGated = objects(pod, "spec", "schedulingGates").length > 0;
  if (isGated && text(pod, "spec", "nodeName") !== "") {
    const problem = "cannot be set until all schedulingGates have been cleared";
    errors.push(forbidden("spec.nodeName", problem));
  }
  return errors;
}

function checkPodStatus(pod: ApiObject, stored: ApiObject): readonly FieldError[] {
  const { qosClass } = recordOf(pod["status"]);
  const { qosClass: storedClass } = recordOf(stored["status"]);
  const isGiven = qosClass !== undefined && storedClass !== undefined;
  return [
    ...checkNomination(pod, text(stored, "status", "nominatedNodeName")),
    ...(isGiven ? checkImmutable("status.qosClass", qosClass, storedClass) : []),
    ...["podIPs", "hostIPs"].flatMap((name) =>
      objects(pod, "status", name).flatMap((entry, index) =>
        checkAddress(`status.${name}[${index}]`, text(entry, "ip")),
      ),
    ),
    ...checkGeneration("status", pod["status"]),
    ...objects(pod, "status", "conditions").flatMap((condition, index) =>
      checkCondition(`status.conditions[${index}]`, condition),
    ),
  ];
}

function checkCondition(field: string, condition: JsonObject): readonly FieldError[] {
  const errors = checkGeneration(field, condition);
  return errors.concat(checkText(`${field}.Type`, text(condition, "type"), checkQualifiedName));
}

/** Checks the generation of a pod that its status, or a condition, was made for. */
function checkGeneration(field: string, object: unknown): readonly FieldError[] {
  const generation = count(object, "observedGeneration");
  if (generation >= 0) return [];
  return [invalid(`${field}.observedGeneration`, generation, "must be a non-negative integer")];
}

// Only a pod that waits for a node can have one in prospect.
function checkNomination(pod: ApiObject, stored: string): readonly FieldError[] {
  const field = "status.nominatedNodeName";
  const name = text(pod, "status", "nominatedNodeName");
  if (name === "" || name === stored) return [];
  if (text(pod, "spec", "nodeName") !== "") {
    return [forbidden(field, "may not be set on pods that are already bound to a node")];
  }
  return checkText(field, name, checkDnsSubdomain);
}

function nameWarning({ metadata }: ApiObject): readonly string[] {
  const problems = checkDnsLabel(metadata.name ?? "");
  if (problems.length === 0) return [];
  const effect =
    "this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended";
  return [`metadata.name: ${effect}: [${problems.join(" ")}]`];
}

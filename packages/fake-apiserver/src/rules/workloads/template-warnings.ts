import { recordOf } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../../api/api-object.ts";
import { checkDnsLabel } from "../../validation/names.ts";
import { podWarnings } from "../pods/pod-warnings.ts";

/** Warns of a new or changed template in the spec of a workload, and of its name when it is new. */
export function templateWarnings(
  object: ApiObject,
  stored: ApiObject | undefined,
): readonly string[] {
  if (isUnchanged(object, stored)) return [];
  const template = recordOf(recordOf(object["spec"])["template"]);
  const warnings = podWarnings("spec.template.", template);
  return stored === undefined ? [...hostnameWarning(object), ...warnings] : warnings;
}

/** Whether the desired state is that of the stored object. */
export function isUnchanged(object: ApiObject, stored: ApiObject | undefined): boolean {
  return stored !== undefined && stored.metadata.generation === object.metadata.generation;
}

/** Warns of a name that is not fit for the hostnames of pods. */
export function hostnameWarning({ metadata }: ApiObject): readonly string[] {
  const problems = checkDnsLabel(metadata.name ?? "");
  if (problems.length === 0) return [];
  const effect =
    "this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended";
  return [`metadata.name: ${effect}: [${problems.join(" ")}]`];
}

import type { JsonObject } from "@listwatch/core-fifo/base";
import type { FieldError } from "../../api/errors.ts";
import { objects, text } from "../../base/read-fields.ts";
import { goQuote } from "../../base/go-text.ts";
import { invalid } from "../../validation/field-errors.ts";
import { checkDescendingPath } from "./paths.ts";

const mirrorKey = "kubernetes.io/config.mirror";
const deletionCostKey = "controller.kubernetes.io/pod-deletion-cost";
/** The old way to choose the seccomp profile of a pod. */
export const seccompPodKey = "seccomp.security.alpha.kubernetes.io/pod";
/** The old way to choose the seccomp profile of a container, whose name follows. */
export const seccompContainerPrefix = "container.seccomp.security.alpha.kubernetes.io/";
/** The old way to choose the AppArmor profile of a container, whose name follows. */
export const appArmorPrefix = "container.apparmor.security.beta.kubernetes.io/";

/** The annotations that mean something for a pod. */
export function checkPodAnnotations(
  field: string,
  annotations: JsonObject,
  spec: JsonObject,
): readonly FieldError[] {
  const containers = new Set(
    ["initContainers", "containers"].flatMap((list) =>
      objects(spec, list).map((container) => text(container, "name")),
    ),
  );
  return Object.keys(annotations).flatMap((key) => {
    const value = text(annotations, key);
    if (key === mirrorKey && text(spec, "nodeName") === "") {
      const problem = "must set spec.nodeName if mirror pod annotation is set";
      return [invalid(`${field}[${key}]`, value, problem)];
    }
    if (key === deletionCostKey && !isInt32(value)) {
      return [invalid(`${field}[${key}]`, value, "must be a 32bit integer")];
    }
    if (key === seccompPodKey || key.startsWith(seccompContainerPrefix)) {
      return checkSeccompProfile(`${field}.${key}`, value);
    }
    if (!key.startsWith(appArmorPrefix)) return [];
    return checkAppArmor(`${field}[${key}]`, key.slice(appArmorPrefix.length), value, containers);
  });
}

// strconv.ParseInt with 32 bits. Costs have no plus and no leading zeros.
function isInt32(value: string): boolean {
  if (!/^(?:0|-?[1-9]\d*)$/.test(value)) return false;
  const number = Number(value);
  return number >= -(2 ** 31) && number < 2 ** 31;
}

const seccompProfiles = new Set(["runtime/default", "docker/default", "unconfined"]);
const localPrefix = "localhost/";

function checkSeccompProfile(field: string, profile: string): readonly FieldError[] {
  if (seccompProfiles.has(profile)) return [];
  if (profile.startsWith(localPrefix)) {
    return checkDescendingPath(field, profile.slice(localPrefix.length));
  }
  return [invalid(field, profile, "must be a valid seccomp profile")];
}

function checkAppArmor(
  field: string,
  container: string,
  profile: string,
  containers: ReadonlySet<string>,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (!containers.has(container)) {
    errors.push(invalid(field, container, "container not found"));
  }
  const isKnown = ["", "runtime/default", "unconfined"].includes(profile);
  if (!isKnown && !profile.startsWith(localPrefix)) {
    const problem = `invalid AppArmor profile name: ${goQuote(profile)}`;
    errors.push(invalid(field, profile, problem));
  }
  return errors;
}

import { isJsonEqual, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../../api/errors.ts";
import { goJson } from "../../base/go-text.ts";
import { field as valueAt, objects, text } from "../../base/read-fields.ts";
import { forbidden, invalid, invalidShown, withDiff } from "../../validation/field-errors.ts";
import { showNodeTerm as showTerm } from "./internal-form.ts";

const changeProblem = `pod updates may not change fields other than ${[
  "`spec.containers[*].image`",
  "`spec.initContainers[*].image`",
  "`spec.activeDeadlineSeconds`",
  "`spec.tolerations` (only additions to existing tolerations)",
  "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)",
].join(",")}`;

/** Why the spec of a pod may not be changed like this. It is valid in itself. */
export function checkPodChange(spec: JsonObject, stored: JsonObject): readonly FieldError[] {
  if (isJsonEqual(spec, stored)) return [];
  for (const name of ["containers", "initContainers"]) {
    if (objects(spec, name).length !== objects(stored, name).length) {
      return [forbidden(`spec.${name}`, "pod updates may not add or remove containers")];
    }
  }
  const deadline = checkDeadline(spec["activeDeadlineSeconds"], stored["activeDeadlineSeconds"]);
  if (deadline?.isLast === true) return [deadline.error];
  const errors = [
    ...(deadline === undefined ? [] : [deadline.error]),
    ...checkTolerations(objects(spec, "tolerations"), objects(stored, "tolerations")),
    ...checkGates(objects(spec, "schedulingGates"), objects(stored, "schedulingGates")),
    ...checkNodeSelector(spec, stored),
    ...(isGated(stored) ? checkNodeAffinity(nodeAffinityOf(spec), nodeAffinityOf(stored)) : []),
  ];
  const fixed = withoutFreeFields(spec, stored);
  if (!isJsonEqual(fixed, stored)) {
    errors.push(withDiff(forbidden("spec", changeProblem), "PodSpec", stored, fixed));
  }
  return errors;
}

// The greatest int32.
const maxDeadline = 2_147_483_647;

// A wrong or longer deadline ends the check, a missing one does not.
function checkDeadline(
  deadline: unknown,
  stored: unknown,
): { readonly error: FieldError; readonly isLast: boolean } | undefined {
  const field = "spec.activeDeadlineSeconds";
  if (typeof deadline === "number" && (deadline < 0 || deadline > maxDeadline)) {
    const problem = `must be between 0 and ${maxDeadline}, inclusive`;
    return { error: invalid(field, deadline, problem), isLast: true };
  }
  if (typeof stored !== "number") return undefined;
  if (typeof deadline !== "number") {
    const problem = "must not update from a positive integer to nil value";
    return { error: invalid(field, null, problem), isLast: false };
  }
  if (deadline <= stored) return undefined;
  const problem = "must be less than or equal to previous value";
  return { error: invalid(field, deadline, problem), isLast: true };
}

function checkTolerations(
  tolerations: readonly JsonObject[],
  stored: readonly JsonObject[],
): readonly FieldError[] {
  const kept = new Set(tolerations.map(withoutSeconds));
  if (stored.every((old) => kept.has(withoutSeconds(old)))) return [];
  const problem = "existing toleration can not be modified except its tolerationSeconds";
  return [forbidden("spec.tolerations", problem)];
}

function withoutSeconds({ tolerationSeconds: _seconds, ...toleration }: JsonObject): string {
  return goJson(toleration);
}

function checkGates(
  gates: readonly JsonObject[],
  stored: readonly JsonObject[],
): readonly FieldError[] {
  const known = new Set(stored.map((gate) => text(gate, "name")));
  return gates.flatMap((gate, index) => {
    const name = text(gate, "name");
    if (known.has(name)) return [];
    const problem = `only deletion is allowed, but found new scheduling gate '${name}'`;
    return [forbidden(`spec.schedulingGates[${index}].name`, problem)];
  });
}

// A pod that is not scheduled yet may become more particular about its node.
function checkNodeSelector(spec: JsonObject, stored: JsonObject): readonly FieldError[] {
  if (!isGated(stored)) return [];
  const selector = recordOf(spec["nodeSelector"]);
  const isKept = Object.entries(recordOf(stored["nodeSelector"])).every(
    ([key, value]) => selector[key] === value,
  );
  if (isKept) return [];
  const problem = "only additions to spec.nodeSelector are allowed (no mutations or deletions)";
  return [invalid("spec.nodeSelector", selector, problem)];
}

const selectorField =
  "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms";

function nodeAffinityOf(spec: JsonObject): JsonObject {
  return recordOf(recordOf(spec["affinity"])["nodeAffinity"]);
}

// Where it has terms, it gets no other ones; each of them may become narrower.
function checkNodeAffinity(affinity: JsonObject, stored: JsonObject): readonly FieldError[] {
  const path = ["requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms"];
  const terms = objects(affinity, ...path);
  const before = objects(stored, ...path);
  if (before.length > 0 && terms.length !== before.length) {
    const problem = "no additions/deletions to non-empty NodeSelectorTerms list are allowed";
    const isList = Array.isArray(valueAt(affinity, ...path));
    const shown = isList ? `[${terms.map(showTerm).join(",")}]` : "null";
    return [invalidShown(selectorField, shown, problem)];
  }
  return before.flatMap((old, index) => {
    const term = terms[index] ?? {};
    if (isNarrower(term, old)) return [];
    const problem = "only additions are allowed (no mutations or deletions)";
    return [invalidShown(`${selectorField}[${index}]`, showTerm(term), problem)];
  });
}

const lists = ["matchExpressions", "matchFields"];

function isNarrower(term: JsonObject, old: JsonObject): boolean {
  const [sizes, oldSizes] = [term, old].map((one) =>
    lists.map((name) => objects(one, name).length),
  );
  // A term without requirements selects nothing.
  if (oldSizes?.every((size) => size === 0)) return sizes?.every((size) => size === 0) ?? false;
  return lists.every((name) => {
    const kept = objects(old, name);
    return isJsonEqual(objects(term, name).slice(0, kept.length), kept);
  });
}

function isGated(spec: JsonObject): boolean {
  return objects(spec, "schedulingGates").length > 0;
}

// The spec with the stored values of what may be changed.
function withoutFreeFields(spec: JsonObject, stored: JsonObject): JsonObject {
  const names = ["activeDeadlineSeconds", "tolerations", "schedulingGates"];
  if (isGated(stored)) names.push("nodeSelector");
  const grace = stored["terminationGracePeriodSeconds"];
  const isNegative = typeof grace === "number" && grace < 0;
  if (isNegative && spec["terminationGracePeriodSeconds"] === 1) {
    names.push("terminationGracePeriodSeconds");
  }
  const kept = Object.fromEntries(names.map((name) => [name, stored[name]]));
  return {
    ...spec,
    ...kept,
    ...(isGated(stored) && { affinity: withNodeAffinity(spec["affinity"], stored["affinity"]) }),
    containers: withImages(spec, stored, "containers"),
    initContainers: withImages(spec, stored, "initContainers"),
  };
}

/** An affinity with the stored part about nodes, which alone may change. */
export function withNodeAffinity(affinity: unknown, stored: unknown): unknown {
  const { nodeAffinity: _given, ...others } = recordOf(affinity);
  const { nodeAffinity } = recordOf(stored);
  const isEmpty = Object.keys(others).length === 0 && nodeAffinity === undefined;
  if (isEmpty && (affinity === undefined || stored === undefined)) return stored;
  return { ...others, ...(nodeAffinity !== undefined && { nodeAffinity }) };
}

function withImages(spec: JsonObject, stored: JsonObject, name: string): unknown {
  const containers = objects(stored, name);
  if (spec[name] === undefined) return undefined;
  return objects(spec, name).map((container, index) =>
    Object.assign({}, container, { image: containers[index]?.["image"] }),
  );
}

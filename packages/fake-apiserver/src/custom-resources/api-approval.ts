import type { ApiObject } from "../api/api-object.ts";
import { text } from "../base/read-fields.ts";
import type { FieldError } from "../api/errors.ts";
import { invalid, required } from "../validation/field-errors.ts";

const approvalAnnotation = "api-approved.kubernetes.io";
const annotationPath = `metadata.annotations[${approvalAnnotation}]`;
const seeAlso = "see https://github.com/kubernetes/enhancements/pull/1111";

type Approval = "approved" | "bypassed" | "missing" | "invalid";

/**
 * Checks the annotation required for groups of the Kubernetes community (KEP-1111). An unchanged
 * state is allowed.
 */
export function validateApproval(
  crd: ApiObject,
  stored: ApiObject | undefined,
): readonly FieldError[] {
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(text(crd, "spec", "group"))) return [];
  const approval = approvalOf(crd);
  if (stored !== undefined && approvalOf(stored) === approval) return [];
  const rule = `protected groups must have approval annotation "${approvalAnnotation}"`;
  if (approval === "missing") return [required(annotationPath, `${rule}, ${seeAlso}`)];
  if (approval !== "invalid") return [];
  const detail = `${rule} with either a URL or a reason starting with "unapproved", ${seeAlso}`;
  return [invalid(annotationPath, annotationOf(crd), detail)];
}

function approvalOf(crd: ApiObject): Approval {
  const annotation = annotationOf(crd);
  if (annotation === "") return "missing";
  if (annotation.startsWith("unapproved")) return "bypassed";
  return /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/]/.test(annotation) ? "approved" : "invalid";
}

function annotationOf(crd: ApiObject): string {
  return crd.metadata.annotations?.[approvalAnnotation] ?? "";
}

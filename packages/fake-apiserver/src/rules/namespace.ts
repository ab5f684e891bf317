import type { FieldError } from "../api/errors.ts";
import type { ApiObject } from "../api/api-object.ts";
import { text, texts } from "../base/read-fields.ts";
import { invalid } from "../validation/field-errors.ts";
import { checkQualifiedName } from "../validation/names.ts";
import { checkText } from "../validation/values.ts";
import type { ObjectRules } from "./object-rules.ts";

/** Rules for Namespaces. */
export const namespaceRules: ObjectRules = {
  create: (namespace) => checkFinalizers(namespace, () => ""),
  update: (namespace) => checkFinalizers(namespace, (index) => `[${index}]`),
  status: checkPhase,
};

// k8s.io/kubernetes pkg/apis/core/helper, `standardFinalizers`.
const finalizers = new Set(["kubernetes", "orphan", "foregroundDeletion"]);

function checkFinalizers(
  namespace: ApiObject,
  show: (index: number) => string,
): readonly FieldError[] {
  return texts(namespace, "spec", "finalizers").flatMap((name, index) => {
    const field = `spec.finalizers${show(index)}`;
    const errors = checkText(field, name, checkQualifiedName);
    if (!name.includes("/") && !finalizers.has(name)) {
      const problem = "name is neither a standard finalizer name nor is it fully qualified";
      errors.push(invalid(field, name, problem));
    }
    return errors;
  });
}

// The phase only reports whether the namespace is being deleted.
function checkPhase({ metadata, ...namespace }: ApiObject): readonly FieldError[] {
  const phase = text(namespace, "status", "phase");
  const isDeleted = metadata.deletionTimestamp !== undefined;
  const expected = isDeleted ? "Terminating" : "Active";
  if (phase === expected) return [];
  const state = isDeleted ? "not empty" : "empty";
  const problem = `may only be '${expected}' if \`deletionTimestamp\` is ${state}`;
  return [invalid("status.Phase", phase, problem)];
}

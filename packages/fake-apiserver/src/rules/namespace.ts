import type { FieldError } from "../api/errors.ts";
import type { ApiObject } from "../api/api-object.ts";
import { text, texts } from "../base/read-fields.ts";
import { invalid } from "../validation/field-errors.ts";
import { checkQualifiedName } from "../validation/names.ts";
import { checkText } from "../validation/values.ts";
import { type ObjectRules, rulesOf } from "./object-rules.ts";

/** Rules for Namespaces. */
export const namespaceRules: ObjectRules = rulesOf(
  (namespace) =>
    texts(namespace, "spec", "finalizers").flatMap((name, index) =>
      checkText(`spec.finalizers[${index}]`, name, checkQualifiedName),
    ),
  { status: checkPhase },
);

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

import { texts } from "../base/read-fields.ts";
import { ApiError } from "../api/api-error.ts";
import { groupResource } from "../api/registry.ts";
import type { Steps } from "../base/steps.ts";
import type { ReviewedWrite } from "../webhooks/reviewed-write.ts";
import type { PolicyDefinition, PolicyExpression, PolicyValidation } from "./policy-definition.ts";
import { PolicyEvaluation } from "./policy-evaluation.ts";
import { type Invocation, invocationsFor } from "./policy-invocations.ts";
import { namespaceOf, type PolicyContext, storesOf } from "./policy-context.ts";

/** A refusal by a policy. */
interface Denial {
  readonly message: string;
  /** The reason of the Status; "" for that of an error. */
  readonly reason: string;
}

/** k8s.io/apiserver pkg/apis/cel/config.go: `MaxEvaluatedMessageExpressionSizeBytes`. */
const longestMessage = 5 * 1024;

/**
 * Judges a write by the ValidatingAdmissionPolicies that are bound, as k8s.io/apiserver
 * pkg/admission/plugin/policy/validating.
 *
 * @throws {ApiError} the first refusal
 */
export function* judgeByPolicies(context: PolicyContext, write: ReviewedWrite): Steps<void> {
  const denials: Denial[] = [];
  const stores = storesOf(context, "validating");
  for (const found of invocationsFor(write, stores, context)) {
    const { binding, definition } = found;
    const place = binding === undefined ? "" : ` with binding '${binding.name}'`;
    const policy = `ValidatingAdmissionPolicy '${definition.name}'${place}`;
    const refusal = `${policy} denied request: `;
    if ("message" in found) {
      if (definition.ignoresFailures) continue;
      denials.push({ message: `${refusal}${found.message}`, reason: "" });
      continue;
    }
    const actions = texts(found.binding.object, "spec", "validationActions");
    const { errors, failures } = yield* judge(context, found, write);
    for (const { message, reason } of failures) {
      if (actions.includes("Warn")) {
        context.warnings.push(`Validation failed for ${policy}: ${message}`);
      }
      if (actions.includes("Deny")) denials.push({ message: `${refusal}${message}`, reason });
    }
    // Errors of audit annotations refuse whatever the binding does with failures.
    for (const message of errors) denials.push({ message: `${refusal}${message}`, reason: "" });
  }
  const [first] = denials;
  if (first !== undefined) throw denied(write, first);
}

interface Judgement {
  readonly failures: readonly Denial[];
  /** Errors of audit annotations. */
  readonly errors: readonly string[];
}

function* judge(
  context: PolicyContext,
  { definition, form, params }: Invocation,
  write: ReviewedWrite,
): Steps<Judgement> {
  const failures: Denial[] = [];
  const errors: string[] = [];
  const { decisions } = context;
  const namespace = namespaceOf(context, write);
  for (const param of params) {
    const evaluated = { write, form, params: param, namespace, decisions };
    const evaluation = yield* PolicyEvaluation.begin(definition, evaluated);
    const problem = yield* evaluation.conditionErrors();
    if (problem === undefined) continue;
    if (problem !== "") {
      failures.push({ message: problem, reason: "" });
      continue;
    }
    for (const validation of definition.validations) {
      const failure = yield* validate(evaluation, definition, validation);
      if (failure !== undefined) failures.push(failure);
    }
    for (const annotation of definition.annotations) {
      const error = yield* annotationError(evaluation, definition, annotation);
      if (error !== undefined) errors.push(error);
    }
  }
  return { failures, errors };
}

function* validate(
  evaluation: PolicyEvaluation,
  { ignoresFailures }: PolicyDefinition,
  validation: PolicyValidation,
): Steps<Denial | undefined> {
  const result = yield* evaluation.evaluate(validation.expression);
  if (result.error !== undefined) {
    return ignoresFailures ? undefined : { message: result.error, reason: "" };
  }
  if (result.value === true) return undefined;
  const { message, messageExpression, reason } = validation;
  const computed = messageExpression && (yield* evaluation.evaluate(messageExpression));
  const value = computed?.error === undefined ? computed?.value : undefined;
  const fallback =
    message === "" ? `failed expression: ${validation.expression.text.trim()}` : message;
  return { message: usableMessage(value) ?? fallback, reason: reason === "" ? "Invalid" : reason };
}

function usableMessage(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const message = value.trim();
  const length = new TextEncoder().encode(message).length;
  return message === "" || length > longestMessage || message.includes("\n") ? undefined : message;
}

/** Evaluates an annotation for the audit log, which this server does not write. */
function* annotationError(
  evaluation: PolicyEvaluation,
  { ignoresFailures }: PolicyDefinition,
  annotation: PolicyExpression,
): Steps<string | undefined> {
  const { error } = yield* evaluation.evaluate(annotation);
  return ignoresFailures ? undefined : error;
}

const codes: Readonly<Record<string, number>> = {
  Unauthorized: 401,
  Forbidden: 403,
  RequestEntityTooLarge: 413,
};

function denied({ form, name, object }: ReviewedWrite, { message, reason }: Denial): ApiError {
  const { group, resource } = form.resource;
  const named = groupResource({ group, plural: resource });
  // k8s.io/apiserver pkg/admission/errors.go: `extractResourceName`.
  const generateName = object?.metadata.generateName ?? "";
  const shown = name === "" ? generateName || "Unknown" : name;
  return new ApiError({
    code: codes[reason] ?? 422,
    reason: codes[reason] === undefined ? "Invalid" : reason,
    message: `${named} ${JSON.stringify(shown)} is forbidden: ${message}`,
    details: {
      name: shown,
      ...(group === "" ? {} : { group }),
      kind: resource,
      causes: [{ message }],
    },
  });
}

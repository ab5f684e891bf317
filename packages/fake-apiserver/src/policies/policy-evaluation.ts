import { type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { type Steps, waitFor } from "../base/steps.ts";
import { AuthorizerValue } from "../cel/access-values.ts";
import { convertUntyped } from "../cel/convert.ts";
import { BudgetExceeded, CelFailure, Undecided } from "../cel/failures.ts";
import { ObjectValue } from "../cel/values.ts";
import { requestAttributes } from "../webhooks/admission-review.ts";
import type { ReviewedForm, ReviewedWrite } from "../webhooks/reviewed-write.ts";
import type { AccessDecisions } from "./access-decisions.ts";
import type { PolicyDefinition, PolicyExpression } from "./policy-definition.ts";

/** The value of an expression, or the server's report why it has none. */
export type Evaluated =
  | { readonly value: unknown; readonly error?: undefined }
  | { readonly error: string };

/** k8s.io/apiserver pkg/apis/cel/config.go: `RuntimeCELCostBudget`. */
const policyBudget = 10_000_000;
const outOfBudget =
  "validation failed due to running out of cost budget, no further validation rules will be run";

/** The write that a policy is evaluated for. */
export interface EvaluatedWrite {
  readonly write: ReviewedWrite;
  /** The form in which the policy sees the objects. */
  readonly form: ReviewedForm;
  readonly params: JsonObject | null;
  /** The namespace of the write, if it has one. */
  readonly namespace: ApiObject | undefined;
  readonly decisions: AccessDecisions;
}

/** The part of a policy that its evaluation needs. */
export type EvaluatedPolicy = Pick<
  PolicyDefinition,
  "conditions" | "ignoresFailures" | "variables"
>;

/** Evaluates the expressions of a policy for one write. */
export class PolicyEvaluation {
  readonly #definition: EvaluatedPolicy;
  readonly #variables: Readonly<Record<string, unknown>>;
  readonly #decisions: AccessDecisions;
  #cost = 0;

  private constructor(
    definition: EvaluatedPolicy,
    values: Readonly<Record<string, unknown>>,
    decisions: AccessDecisions,
  ) {
    this.#definition = definition;
    this.#decisions = decisions;
    this.#variables = { ...values, variables: this.#composed() };
  }

  static *begin(definition: EvaluatedPolicy, evaluated: EvaluatedWrite): Steps<PolicyEvaluation> {
    const { decisions, form, namespace, params, write } = evaluated;
    const object = yield* shown(form, write.object);
    const oldObject = yield* shown(form, write.oldObject);
    const { dryRun, options, user } = write;
    const { name, namespace: inNamespace, subresource } = write;
    const { group, resource } = write.form.resource;
    const requested = { group, resource, subresource, namespace: inNamespace, name };
    const values = {
      object: convertUntyped(object),
      oldObject: convertUntyped(oldObject),
      request: convertUntyped({ ...requestAttributes(write, form), dryRun, options }),
      params: convertUntyped(params),
      namespaceObject: convertUntyped(namespace === undefined ? null : visibleNamespace(namespace)),
      authorizer: new AuthorizerValue(user, decisions.decide, requested),
    };
    return new PolicyEvaluation(definition, values, decisions);
  }

  /** Evaluates an expression, when the authorizer has decided on what it asks for. */
  *evaluate(expression: PolicyExpression): Steps<Evaluated> {
    const { compiled, problem, text } = expression;
    if (problem !== undefined) return { error: `compilation error: ${problem}` };
    const { program } = compiled;
    if (program === undefined) return { error: `cannot evaluate here: ${text}` };
    if (this.#cost > policyBudget) return { error: outOfBudget };
    const outcome = yield* this.#decisions.settled(() => program.evaluate(this.#variables));
    this.#cost += outcome.cost;
    if (this.#cost > policyBudget) return { error: outOfBudget };
    const { failure } = outcome;
    if (failure === undefined) return { value: outcome.value };
    return { error: `expression '${text}' resulted in error: ${reasonOf(failure)}` };
  }

  /**
   * Evaluates the match conditions: whether none is false. An error counts only if none is false.
   *
   * @returns the reports of errors; undefined if the policy is skipped
   */
  *conditionErrors(): Steps<string | undefined> {
    const errors: string[] = [];
    for (const condition of this.#definition.conditions) {
      const { error, ...result } = yield* this.evaluate(condition);
      if (error !== undefined) errors.push(error);
      else if ("value" in result && result.value === false) return undefined;
    }
    if (errors.length === 0) return "";
    if (this.#definition.ignoresFailures) return undefined;
    return errors.length === 1 ? errors.join("") : `[${errors.join(", ")}]`;
  }

  /** The value of `variables`: each variable is evaluated when it is first read. */
  #composed(): ObjectValue {
    const { variables } = this.#definition;
    const names = variables.map(({ name }) => name);
    return new ObjectValue(names, (name) => {
      const variable = variables.find((one) => one.name === name);
      if (variable === undefined) return undefined;
      const start = `composited variable ${JSON.stringify(name)} fails to`;
      const { compiled, problem } = variable.expression;
      if (problem !== undefined || compiled.program === undefined) {
        throw new CelFailure(`${start} compile: ${problem ?? "cannot evaluate here"}`);
      }
      const outcome = compiled.program.evaluate(this.#variables);
      const { failure } = outcome;
      if (failure instanceof Undecided) throw failure;
      this.#cost += outcome.cost;
      if (failure !== undefined) throw new CelFailure(`${start} evaluate: ${reasonOf(failure)}`);
      return outcome.value;
    });
  }
}

function reasonOf(failure: CelFailure | BudgetExceeded): string {
  const isExceeded = failure instanceof BudgetExceeded;
  return isExceeded ? `operation cancelled: ${failure.message}` : failure.message;
}

/** Returns an object as a policy sees it. */
export function* shown(
  form: ReviewedForm,
  object: ApiObject | undefined,
): Steps<JsonObject | null> {
  if (object === undefined) return null;
  const one = form.show(object);
  return one instanceof Promise ? yield* waitFor(one) : one;
}

// k8s.io/apiserver pkg/admission/plugin/cel/condition.go: `CreateNamespaceObject`.
function visibleNamespace({ metadata, spec, status }: ApiObject): JsonObject {
  const { managedFields: _fields, ownerReferences: _owners, ...visible } = metadata;
  return { metadata: visible, spec: recordOf(spec), status: recordOf(status) };
}

import { isJsonEqual, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import { ApiError } from "../api/api-error.ts";
import type { ApiObject } from "../api/api-object.ts";
import { type Steps, waitFor } from "../base/steps.ts";
import type { InvokedPlugins } from "../webhooks/reinvocation.ts";
import type { ReviewedForm, ReviewedWrite } from "../webhooks/reviewed-write.ts";
import { applyMutation, MutationError } from "./apply-mutation.ts";
import { namespaceOf, type PolicyContext, storesOf } from "./policy-context.ts";
import { PolicyEvaluation, shown } from "./policy-evaluation.ts";
import { findParamKind } from "./policy-params.ts";
import { type Invocation, invocationsFor } from "./policy-invocations.ts";
import type { PolicyMutation } from "./policy-definition.ts";

/** An error of a policy, which its failure policy does not ignore. */
interface PolicyError {
  readonly message: string;
  readonly reason: string;
}

/**
 * Changes an object by the MutatingAdmissionPolicies that are bound, as k8s.io/apiserver
 * pkg/admission/plugin/policy/mutating.
 *
 * @returns the object after all changes
 * @throws {ApiError} 403 for errors of policies that count
 */
export function* mutateByPolicies(
  context: PolicyContext,
  write: ReviewedWrite & { readonly object: ApiObject },
  invoked: InvokedPlugins,
): Steps<ApiObject> {
  const run = new MutationRun(context, write, invoked);
  const object = yield* run.all();
  if (run.errors.length > 0) throw refused(write, run.errors);
  return object;
}

class MutationRun {
  readonly errors: PolicyError[] = [];
  readonly #context: PolicyContext;
  readonly #write: ReviewedWrite;
  readonly #invoked: InvokedPlugins;
  #object: ApiObject;
  #isMutated = false;

  constructor(
    context: PolicyContext,
    write: ReviewedWrite & { readonly object: ApiObject },
    invoked: InvokedPlugins,
  ) {
    this.#context = context;
    this.#write = write;
    this.#invoked = invoked;
    this.#object = write.object;
  }

  *all(): Steps<ApiObject> {
    this.#invoked.begin(this.#object);
    const stores = storesOf(this.#context, "mutating");
    // Labels that a policy adds do not change which policies are invoked.
    for (const found of [...invocationsFor(this.#write, stores, this.#context)]) {
      if (!("message" in found)) yield* this.#invoke(found);
      else if (!found.definition.ignoresFailures) {
        const { binding, definition, message } = found;
        const policy =
          binding === undefined
            ? `policy ${JSON.stringify(definition.name)}`
            : `policy '${definition.name}' with binding '${binding.name}'`;
        this.errors.push({ message: `${policy} denied request: ${message}`, reason: "Forbidden" });
      }
    }
    // A real server counts each mutation as a change, even if it changes nothing.
    if (this.#isMutated) this.#invoked.changed();
    return this.#object;
  }

  *#invoke(invocation: Invocation): Steps<void> {
    for (const param of invocation.params) {
      yield* this.#invokeWith(invocation, this.#shownParam(invocation, param));
    }
  }

  // Only validating policies see the type of a parameter of a built-in kind.
  #shownParam({ definition }: Invocation, param: JsonObject | null): JsonObject | null {
    const { paramKind } = definition;
    if (param === null || paramKind === undefined) return param;
    if (findParamKind(this.#context, paramKind).definition.custom) return param;
    const { apiVersion: _apiVersion, kind: _kind, ...untyped } = param;
    return untyped;
  }

  *#invokeWith(invocation: Invocation, param: JsonObject | null): Steps<void> {
    const { binding, definition } = invocation;
    const evaluation = yield* this.#evaluation(invocation, param);
    const problem = yield* evaluation.conditionErrors();
    if (problem === undefined) return;
    if (problem !== "") {
      this.#report(invocation, problem);
      return;
    }
    const { name = "", namespace = "" } = recordOf(param?.["metadata"]);
    const id = JSON.stringify([definition.name, binding.name, namespace, name]);
    if (!this.#invoked.includes(id)) return;
    const before = this.#object;
    for (const mutation of definition.mutations) {
      yield* this.#mutate(invocation, param, mutation);
    }
    if (!isJsonEqual(before, this.#object)) this.#invoked.changed();
    this.#invoked.called(id, definition.isReinvoked);
  }

  #evaluation(
    { definition, form }: Invocation,
    params: JsonObject | null,
  ): Steps<PolicyEvaluation> {
    const write = { ...this.#write, object: this.#object };
    const { decisions } = this.#context;
    const namespace = namespaceOf(this.#context, write);
    return PolicyEvaluation.begin(definition, { write, form, params, namespace, decisions });
  }

  *#mutate(
    invocation: Invocation,
    param: JsonObject | null,
    mutation: PolicyMutation,
  ): Steps<void> {
    if (mutation.problem !== undefined) {
      this.#report(invocation, mutation.problem);
      return;
    }
    const evaluation = yield* this.#evaluation(invocation, param);
    const result = yield* evaluation.evaluate(mutation);
    if (result.error !== undefined) {
      this.#report(invocation, result.error);
      return;
    }
    try {
      const { form } = invocation;
      this.#object = yield* this.#changed(form, mutation, result.value);
      this.#isMutated = true;
    } catch (error) {
      if (!(error instanceof MutationError)) throw error;
      this.#report(invocation, error.message);
    }
  }

  *#changed(form: ReviewedForm, mutation: PolicyMutation, value: unknown): Steps<ApiObject> {
    const before = (yield* shown(form, this.#object)) ?? {};
    const { registry } = this.#context;
    const after = yield* waitFor(applyMutation(mutation.type, value, before, { form, registry }));
    const { take } = form;
    if (take === undefined || isJsonEqual(before, after)) return this.#object;
    return yield* waitFor(take(after));
  }

  #report({ binding, definition }: Invocation, problem: string): void {
    if (definition.ignoresFailures) return;
    const policy = `policy '${definition.name}' with binding '${binding.name}'`;
    this.errors.push({ message: `${policy} denied request: ${problem}`, reason: "Invalid" });
  }
}

function refused({ form, name }: ReviewedWrite, errors: readonly PolicyError[]): ApiError {
  const [first] = errors;
  const { group, resource } = form.resource;
  return new ApiError({
    code: 403,
    reason: first?.reason ?? "Forbidden",
    message: first?.message ?? "",
    details: {
      ...(name === "" ? {} : { name }),
      ...(group === "" ? {} : { group }),
      kind: resource,
      causes: errors.map(({ message }) => ({ message })),
    },
  });
}

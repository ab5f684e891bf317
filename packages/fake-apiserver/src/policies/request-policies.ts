import type { ApiObject } from "../api/api-object.ts";
import type { Authorizer } from "../authorization/authorizer.ts";
import type { Steps } from "../base/steps.ts";
import type { InvokedPlugins } from "../webhooks/reinvocation.ts";
import type { ReviewedWrite } from "../webhooks/reviewed-write.ts";
import { AccessDecisions } from "./access-decisions.ts";
import { mutateByPolicies } from "./mutating-policies.ts";
import type { PolicyContext } from "./policy-context.ts";
import { judgeByPolicies } from "./validating-policies.ts";

/** Runs the admission policies for one request. */
export class RequestPolicies {
  readonly #context: PolicyContext;

  constructor(context: Omit<PolicyContext, "decisions">, authorizer: Authorizer) {
    this.#context = { ...context, decisions: new AccessDecisions(authorizer) };
  }

  /**
   * Changes an object by MutatingAdmissionPolicies.
   *
   * @throws {ApiError} 403 for errors of policies that count
   */
  mutate(
    write: ReviewedWrite & { readonly object: ApiObject },
    invoked: InvokedPlugins,
  ): Steps<ApiObject> {
    return mutateByPolicies(this.#context, write, invoked);
  }

  /**
   * Judges a write by ValidatingAdmissionPolicies.
   *
   * @throws {ApiError} 401, 403, 413 or 422
   */
  validate(write: ReviewedWrite): Steps<void> {
    return judgeByPolicies(this.#context, write);
  }
}

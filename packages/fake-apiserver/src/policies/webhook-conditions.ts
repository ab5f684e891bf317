import type { Authorizer } from "../authorization/authorizer.ts";
import type { Steps } from "../base/steps.ts";
import type { ConditionEvaluator } from "../webhooks/match-conditions.ts";
import type { ReviewedForm, ReviewedWrite } from "../webhooks/reviewed-write.ts";
import type { AdmissionWebhook } from "../webhooks/webhook-configuration.ts";
import { AccessDecisions } from "./access-decisions.ts";
import { readConditions } from "./policy-definition.ts";
import { PolicyEvaluation } from "./policy-evaluation.ts";

/** Evaluates the match conditions of webhooks, which see neither parameters nor variables. */
export class WebhookConditions implements ConditionEvaluator {
  readonly #decisions: AccessDecisions;

  constructor(authorizer: Authorizer) {
    this.#decisions = new AccessDecisions(authorizer);
  }

  *conditionErrors(
    { ignoresFailures, matchConditions }: AdmissionWebhook,
    write: ReviewedWrite,
    form: ReviewedForm,
  ): Steps<string | undefined> {
    const conditions = readConditions(matchConditions, { hasParams: false, hasAuthorizer: true });
    const expressions = { conditions, variables: [], ignoresFailures };
    const decisions = this.#decisions;
    const evaluated = { write, form, params: null, namespace: undefined, decisions };
    const evaluation = yield* PolicyEvaluation.begin(expressions, evaluated);
    return yield* evaluation.conditionErrors();
  }
}

import type { ApiError } from "../api/api-error.ts";
import { forbidden } from "../api/errors.ts";
import type { Steps } from "../base/steps.ts";
import type { ReviewedForm, ReviewedWrite } from "./reviewed-write.ts";
import type { AdmissionWebhook } from "./webhook-configuration.ts";

/** Evaluates the match conditions of webhooks. */
export interface ConditionEvaluator {
  /**
   * Evaluates the conditions of a webhook: none may be false. An error counts only if none is.
   *
   * @returns the report of the errors, `""` for none; undefined if the webhook is not called
   */
  conditionErrors(
    webhook: AdmissionWebhook,
    write: ReviewedWrite,
    form: ReviewedForm,
  ): Steps<string | undefined>;
}

/** The refusal of a write whose conditions cannot be evaluated. */
export function conditionsFailed({ form, name }: ReviewedWrite, problem: string): ApiError {
  const { group, resource } = form.resource;
  return forbidden({ group, plural: resource, kind: form.kind.kind }, name, problem);
}

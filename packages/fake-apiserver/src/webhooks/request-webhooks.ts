import { isJsonEqual, type Random } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { ApiError } from "../api/api-error.ts";
import { badRequest, internalError, webhookDenied } from "../api/errors.ts";
import { goQuote } from "../base/go-text.ts";
import { randomUuid } from "../base/random-text.ts";
import { type Steps, waitFor } from "../base/steps.ts";
import type { ResourceStore } from "../storage/resource-store.ts";
import {
  type AdmissionAnswer,
  admissionReview,
  readAnswer,
  reviewVersionOf,
  UnusableAnswerError,
} from "./admission-review.ts";
import { type ConditionEvaluator, conditionsFailed } from "./match-conditions.ts";
import { formFor } from "./match-webhook.ts";
import type { InvokedPlugins } from "./reinvocation.ts";
import type { ReviewedForm, ReviewedWrite } from "./reviewed-write.ts";
import { applyReviewPatch, UndecodablePatchError } from "./review-patch.ts";
import { WebhookCallError, type WebhookClient } from "./webhook-client.ts";
import type { AdmissionWebhook } from "./webhook-configuration.ts";

/** Dependencies of {@link RequestWebhooks}. */
export interface WebhookContext {
  /** Webhooks of MutatingWebhookConfigurations, in the order of their calls. */
  readonly mutating: readonly AdmissionWebhook[];
  /** Webhooks of ValidatingWebhookConfigurations. */
  readonly validating: readonly AdmissionWebhook[];
  /** The stored namespaces. */
  readonly namespaces: ResourceStore;
  readonly client: WebhookClient;
  /** Creates the uids of reviews. */
  readonly random: Random;
  /** Collects texts for Warning headers. */
  readonly warnings: string[];
  /** Time on the server's clock at which the request of the client ends, in milliseconds. */
  readonly deadlineMs: number;
  /** Loads the evaluator of match conditions. */
  readonly loadConditions: () => Promise<ConditionEvaluator>;
}

/** A call that has failed, which the failure policy may ignore. */
class FailedCallError extends Error {
  override readonly name: string = "FailedCallError";
}

/**
 * Calls the admission webhooks for one request, as k8s.io/apiserver
 * pkg/admission/plugin/webhook/{mutating,validating}/dispatcher.go.
 */
export class RequestWebhooks {
  readonly #context: WebhookContext;

  constructor(context: WebhookContext) {
    this.#context = context;
  }

  /**
   * Calls the mutating webhooks one after the other. In a second round only those with
   * `reinvocationPolicy: IfNeeded` are called, if the object has changed after them.
   *
   * @returns the object after all changes; undefined for a write without one
   * @throws {ApiError} if a webhook refuses the write, or fails and its failure counts
   */
  *mutate(write: ReviewedWrite, invoked: InvokedPlugins): Steps<ApiObject | undefined> {
    let { object } = write;
    invoked.begin(object);
    for (const webhook of this.#context.mutating) {
      const current = { ...write, object };
      const form = yield* this.#formFor(webhook, current);
      if (form === undefined || !invoked.includes(webhook.uid)) continue;
      const changed = yield* waitFor(this.#mutateOnce(webhook, current, form));
      if (changed !== undefined) {
        object = changed;
        invoked.changed();
      }
      invoked.called(webhook.uid, webhook.reinvoked);
    }
    return object;
  }

  /** Returns the object that a webhook has made; undefined if it changes nothing. */
  async #mutateOnce(
    webhook: AdmissionWebhook,
    write: ReviewedWrite,
    form: ReviewedForm,
  ): Promise<ApiObject | undefined> {
    const answer = await this.#ask(webhook, write, form, true);
    if (answer === undefined || answer.patch === "") return undefined;
    try {
      return await changeObject(webhook, write, form, answer);
    } catch (error) {
      if (error instanceof FailedCallError) return failed(webhook, error.message);
      throw error;
    }
  }

  /**
   * Calls the validating webhooks at the same time. If several refuse, the first one in the order
   * of configurations counts; on a real server it is the first one that answers.
   *
   * @throws {ApiError} if a webhook refuses the write, or fails and its failure counts
   */
  *validate(write: ReviewedWrite): Steps<void> {
    const calls: { readonly webhook: AdmissionWebhook; readonly form: ReviewedForm }[] = [];
    for (const webhook of this.#context.validating) {
      const form = yield* this.#formFor(webhook, write);
      if (form !== undefined) calls.push({ webhook, form });
    }
    if (calls.length === 0) return;
    const asked = calls.map(({ form, webhook }) => this.#ask(webhook, write, form, false));
    const results = yield* waitFor(Promise.allSettled(asked));
    const refusal = results.find((result) => result.status === "rejected");
    if (refusal !== undefined) throw refusal.reason;
  }

  /** Returns the form in which a webhook reviews a write, undefined if it is not called. */
  *#formFor(webhook: AdmissionWebhook, write: ReviewedWrite): Steps<ReviewedForm | undefined> {
    const { loadConditions, namespaces } = this.#context;
    const form = formFor(webhook, write, namespaces);
    if (form === undefined || webhook.matchConditions.length === 0) return form;
    const evaluator = yield* waitFor(loadConditions());
    const problem = yield* evaluator.conditionErrors(webhook, write, form);
    if (problem === undefined) return undefined;
    if (problem !== "") throw conditionsFailed(write, problem);
    return form;
  }

  /** Returns the answer of a webhook that allows the write; undefined if it failed and may. */
  async #ask(
    webhook: AdmissionWebhook,
    write: ReviewedWrite,
    form: ReviewedForm,
    isMutating: boolean,
  ): Promise<AdmissionAnswer | undefined> {
    if (write.dryRun && !webhook.takesDryRuns) {
      throw badRequest(`admission webhook ${goQuote(webhook.name)} does not support dry run`);
    }
    const answer = await this.#call(webhook, write, form, isMutating);
    if (answer === undefined) return undefined;
    this.#context.warnings.push(...answer.warnings);
    if (!answer.allowed) throw webhookDenied(webhook.name, answer.status);
    return answer;
  }

  async #call(
    webhook: AdmissionWebhook,
    write: ReviewedWrite,
    form: ReviewedForm,
    isMutating: boolean,
  ): Promise<AdmissionAnswer | undefined> {
    const { client, deadlineMs, random } = this.#context;
    const version = reviewVersionOf(webhook.reviewVersions);
    if (version === undefined) {
      const why = "webhook does not accept known AdmissionReview versions (v1, v1beta1)";
      return failed(webhook, `could not create admission objects: ${why}`);
    }
    const uid = randomUuid(random);
    const review = await admissionReview(uid, version, write, form);
    const { config, timeoutSeconds } = webhook;
    try {
      const body = await client.post({ config, timeoutSeconds, deadlineMs, review });
      return readAnswer(body, { isMutating, uid, version });
    } catch (error) {
      return failed(webhook, reasonOf(error));
    }
  }
}

async function changeObject(
  { name }: AdmissionWebhook,
  { object }: ReviewedWrite,
  { show, take }: ReviewedForm,
  { patch, patchType }: AdmissionAnswer,
): Promise<ApiObject | undefined> {
  try {
    const shown = object && (await show(object));
    const patched = applyReviewPatch(patch, patchType, shown);
    if (patched === undefined) return undefined;
    if (shown === undefined || take === undefined) {
      const why = "attempted to modify the object, which is not supported for this operation";
      throw internalError(`admission webhook ${goQuote(name)} ${why}`);
    }
    return isJsonEqual(patched, shown) ? undefined : await take(patched);
  } catch (error) {
    if (!(error instanceof UndecodablePatchError)) throw error;
    throw new FailedCallError(error.message);
  }
}

/** @throws {ApiError} 500 unless failures of the webhook are ignored */
function failed({ ignoresFailures, name }: AdmissionWebhook, reason: string): undefined {
  if (ignoresFailures) return undefined;
  throw internalError(`failed calling webhook ${goQuote(name)}: ${reason}`);
}

function reasonOf(error: unknown): string {
  if (error instanceof WebhookCallError) return `failed to call webhook: ${error.message}`;
  if (error instanceof UnusableAnswerError) {
    const start = error.isDecoded ? "received invalid webhook response" : "failed to call webhook";
    return `${start}: ${error.message}`;
  }
  throw error instanceof ApiError ? error : internalError(String(error));
}

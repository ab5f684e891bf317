import { type Clock, inRealTime, type Random } from "@listwatch/core-fifo/base";
import { internalError } from "../api/errors.ts";
import type { FoundResource, ResourceRegistry } from "../api/registry.ts";
import type { UserInfo, Authorization } from "../api/access.ts";
import type { Authorizer } from "../authorization/authorizer.ts";
import { checkGrant } from "../authorization/escalation.ts";
import { loadRuleEngine } from "../cel/rule-engine.ts";
import { conform, type DecodeTarget } from "../input/decode-object.ts";
import type { RequestInfo } from "../input/request-info.ts";
import type { Storage } from "../storage/storage.ts";
import type { Strategies } from "../kinds/strategy.ts";
import type { RequestPolicies } from "../policies/request-policies.ts";
import type { ConditionEvaluator } from "../webhooks/match-conditions.ts";
import type { RequestWebhooks } from "../webhooks/request-webhooks.ts";
import type { ObjectConversions } from "../webhooks/object-conversions.ts";
import type { WebhookSettings } from "../webhooks/webhook-settings.ts";
import { webhookStores } from "../webhooks/webhook-stores.ts";
import type { AdmissionPlugin } from "./admission-plugin.ts";
import { ReviewedForms } from "./reviewed-forms.ts";
import { RequestAdmission } from "./request-admission.ts";

/** Dependencies of the admission. */
export interface AdmissionOptions {
  readonly plugins: readonly AdmissionPlugin[];
  readonly authorization: Authorization | undefined;
  /** Decides on the requests of expressions with `authorizer`. */
  readonly authorizer: Authorizer;
  readonly storage: Pick<Storage, "store">;
  /** Creates the uids of AdmissionReviews. */
  readonly random: Random;
  readonly clock: Clock;
  readonly registry: ResourceRegistry;
  readonly strategies: Strategies;
  readonly conversions: ObjectConversions;
  /** Undefined if webhooks are not called. */
  readonly webhooks: WebhookSettings | undefined;
}

/** A request that writes or connects. */
export interface AdmittedRequest extends FoundResource, DecodeTarget {
  readonly info: RequestInfo;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly warnings: string[];
}

/** Checks that apply to a request, in addition to the plugins. */
export interface AppliedChecks {
  /** Whether a role may not grant more than its writer has. */
  readonly grants: boolean;
  readonly webhooks: boolean;
  readonly policies: boolean;
}

/** Starts the admission of requests that something may change or refuse. */
export class AdmissionStarter {
  readonly #options: AdmissionOptions;
  readonly #forms: ReviewedForms;

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#forms = new ReviewedForms(options);
  }

  async start(request: AdmittedRequest, checks: AppliedChecks): Promise<RequestAdmission> {
    const { plugins, random, storage } = this.#options;
    const { definition, dryRun, info, served, user, warnings } = request;
    const decoder = await request.strategy.decoder?.(served);
    return new RequestAdmission({
      plugins,
      definition,
      served,
      info,
      user,
      dryRun,
      warnings,
      random,
      conform: (object) => conform(request, object, served, internalError, { decoder }).object,
      checkGrants: checks.grants
        ? (object, old) => checkGrant({ storage, user, definition }, object, old)
        : undefined,
      webhooks: checks.webhooks ? await this.#loadWebhooks(request) : undefined,
      policies: checks.policies ? await this.#loadPolicies(request) : undefined,
      forms: this.#forms,
    });
  }

  // Loaded late: most servers have no policies.
  async #loadPolicies({ warnings }: AdmittedRequest): Promise<RequestPolicies> {
    const { authorizer, registry, storage } = this.#options;
    const [{ RequestPolicies: Policies }] = await Promise.all([
      inRealTime(import("../policies/request-policies.ts")),
      loadRuleEngine(),
    ]);
    return new Policies({ registry, storage, warnings }, authorizer);
  }

  // Loaded late: most servers have no webhooks.
  async #loadWebhooks({ warnings }: AdmittedRequest): Promise<RequestWebhooks> {
    const { clock, random, storage, webhooks = {} } = this.#options;
    const { createRequestWebhooks } = await inRealTime(import("../webhooks/create-webhooks.ts"));
    return createRequestWebhooks({
      mutating: storage.store(webhookStores.mutating),
      validating: storage.store(webhookStores.validating),
      namespaces: storage.store("namespaces"),
      settings: webhooks,
      clock,
      random,
      warnings,
      loadConditions: () => this.#loadConditions(),
    });
  }

  // Loaded late: the evaluator is larger than half of the server.
  async #loadConditions(): Promise<ConditionEvaluator> {
    const [{ WebhookConditions }] = await Promise.all([
      inRealTime(import("../policies/webhook-conditions.ts")),
      loadRuleEngine(),
    ]);
    return new WebhookConditions(this.#options.authorizer);
  }
}

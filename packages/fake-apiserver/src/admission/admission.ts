import { type Clock, inRealTime, type Random } from "@listwatch/core-fifo/base";
import { internalError } from "../api/errors.ts";
import type { FoundResource, ResourceRegistry } from "../api/registry.ts";
import type { UserInfo, Authorization } from "../api/access.ts";
import type { Authorizer } from "../authorization/authorizer.ts";
import { checkGrant } from "../authorization/escalation.ts";
import { loadRuleEngine } from "../cel/rule-engine.ts";
import { conform, type DecodeTarget } from "../input/decode-object.ts";
import type { Verb } from "../api/request.ts";
import type { RequestInfo } from "../input/request-info.ts";
import type { Storage } from "../storage/storage.ts";
import type { Strategies } from "../kinds/strategy.ts";
import { policyStores } from "../policies/policy-context.ts";
import type { RequestPolicies } from "../policies/request-policies.ts";
import type { ConditionEvaluator } from "../webhooks/match-conditions.ts";
import type { RequestWebhooks } from "../webhooks/request-webhooks.ts";
import type { ObjectConversions } from "../webhooks/object-conversions.ts";
import type { WebhookSettings } from "../webhooks/webhook-settings.ts";
import type { AdmissionPlugin } from "./admission-plugin.ts";
import { ReviewedForms } from "./reviewed-forms.ts";
import { RequestAdmission } from "./request-admission.ts";
import { isConnect } from "./request-options.ts";

const rbacGroup = "rbac.authorization.k8s.io";
const registrationGroup = "admissionregistration.k8s.io";
const configurations = [
  `mutatingwebhookconfigurations.${registrationGroup}`,
  `validatingwebhookconfigurations.${registrationGroup}`,
] as const;
const writingVerbs: ReadonlySet<Verb> = new Set([
  "create",
  "update",
  "patch",
  "delete",
  "deletecollection",
]);

/** Dependencies of {@link Admission}. */
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

/** Runs the admission of requests before they reach storage. */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #forms: ReviewedForms;

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#forms = new ReviewedForms(options);
  }

  /** Returns the admission of a request; undefined if no plugin, webhook or grant check applies. */
  async begin(request: AdmittedRequest): Promise<RequestAdmission | undefined> {
    const { authorization, plugins, random, storage } = this.#options;
    const { definition, dryRun, info, served, user, warnings } = request;
    const checksGrants = authorization === "rbac" && definition.group === rbacGroup;
    const calls = this.#callsWebhooks(request);
    const judges = this.#hasPolicies(request);
    if (plugins.length === 0 && !checksGrants && !calls && !judges) return undefined;
    if (!writingVerbs.has(info.verb) && !isConnect(info)) return undefined;
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
      checkGrants: checksGrants
        ? (object, old) => checkGrant({ storage, user, definition }, object, old)
        : undefined,
      webhooks: calls ? await this.#loadWebhooks(request) : undefined,
      policies: judges ? await this.#loadPolicies(request) : undefined,
      forms: this.#forms,
    });
  }

  #hasPolicies({ definition }: AdmittedRequest): boolean {
    const { storage } = this.#options;
    if (definition.group === registrationGroup) return false;
    return Object.values(policyStores).some(([, bindings]) => storage.store(bindings).size > 0);
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

  #callsWebhooks({ definition }: AdmittedRequest): boolean {
    const { storage, webhooks } = this.#options;
    if (webhooks === undefined) return false;
    // A webhook must not be able to keep its own configuration from being repaired.
    if (definition.group === registrationGroup) return false;
    return configurations.some((name) => storage.store(name).size > 0);
  }

  // Loaded late: most servers have no webhooks.
  async #loadWebhooks({ warnings }: AdmittedRequest): Promise<RequestWebhooks> {
    const { clock, random, storage, webhooks = {} } = this.#options;
    const { createRequestWebhooks } = await inRealTime(import("../webhooks/create-webhooks.ts"));
    return createRequestWebhooks({
      mutating: storage.store(configurations[0]),
      validating: storage.store(configurations[1]),
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

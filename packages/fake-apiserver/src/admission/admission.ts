import { loadOnce } from "../base/load-once.ts";
import type { Verb } from "../api/request.ts";
import { isConnect } from "../input/request-info.ts";
import { policyStores } from "../policies/policy-context.ts";
import { webhookStores } from "../webhooks/webhook-stores.ts";
import type { AdmissionOptions, AdmissionStarter, AdmittedRequest } from "./admission-starter.ts";
import type { RequestAdmission } from "./request-admission.ts";

const rbacGroup = "rbac.authorization.k8s.io";
const registrationGroup = "admissionregistration.k8s.io";
const bindings = Object.values(policyStores).map(([, store]) => store);
const configurations = Object.values(webhookStores);
const writingVerbs: ReadonlySet<Verb> = new Set([
  "create",
  "update",
  "patch",
  "delete",
  "deletecollection",
]);

/** Runs the admission of requests before they reach storage. */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #loadStarter: () => Promise<AdmissionStarter>;

  constructor(options: AdmissionOptions) {
    this.#options = options;
    // Most servers have neither plugins nor webhooks nor policies.
    this.#loadStarter = loadOnce(async () => {
      const { AdmissionStarter: Loaded } = await import("./admission-starter.ts");
      return new Loaded(options);
    });
  }

  /** Returns the admission of a request; undefined if no plugin, webhook or grant check applies. */
  async begin(request: AdmittedRequest): Promise<RequestAdmission | undefined> {
    const { authorization, plugins } = this.#options;
    const { definition, info } = request;
    if (!writingVerbs.has(info.verb) && !isConnect(info)) return undefined;
    const checks = {
      grants: authorization === "rbac" && definition.group === rbacGroup,
      webhooks: this.#callsWebhooks(request),
      policies: this.#hasPolicies(request),
    };
    if (plugins.length === 0 && !checks.grants && !checks.webhooks && !checks.policies) {
      return undefined;
    }
    const starter = await this.#loadStarter();
    return starter.start(request, checks);
  }

  #hasPolicies({ definition }: AdmittedRequest): boolean {
    const { storage } = this.#options;
    if (definition.group === registrationGroup) return false;
    return bindings.some((name) => storage.store(name).size > 0);
  }

  #callsWebhooks({ definition }: AdmittedRequest): boolean {
    const { storage, webhooks } = this.#options;
    if (webhooks === undefined) return false;
    // A webhook must not be able to keep its own configuration from being repaired.
    if (definition.group === registrationGroup) return false;
    return configurations.some((name) => storage.store(name).size > 0);
  }
}

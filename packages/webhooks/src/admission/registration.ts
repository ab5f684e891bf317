import type { ReviewOperation } from "./admission-request.ts";
import type { MutatingOptions, WebhookRegistrationOptions } from "./webhook-options.ts";

/** The requests that a webhook reviews, as in the rules of a configuration. */
export interface WebhookRule {
  /** Operations of the requests. */
  readonly operations: readonly (ReviewOperation | "*")[];
  /** API groups of the resources; `""` for the core group. */
  readonly apiGroups: readonly string[];
  /** Versions of the resources. */
  readonly apiVersions: readonly string[];
  /** Plural names with their subresource, such as `deployments/scale`. */
  readonly resources: readonly string[];
  /** Scope of the resources. */
  readonly scope: "*" | "Cluster" | "Namespaced";
}

/** Content of a configuration about the webhook of a handler. */
export interface AdmissionRegistration extends Omit<WebhookRegistrationOptions, "name" | "path"> {
  /** Whether the handler refuses requests, or changes their objects as well. */
  readonly type: "mutating" | "validating";
  /** Name of the webhook. */
  readonly name: string;
  /** Requests that the handler reviews. */
  readonly rules: readonly WebhookRule[];
  /** Whether the handler is called again after changes of other webhooks. @default "Never" */
  readonly reinvocationPolicy?: MutatingOptions["reinvocationPolicy"];
}

/** A handler of AdmissionReviews. */
export interface AdmissionHandler {
  /** Answers the request of an API server. Never rejects. */
  (request: Request): Promise<Response>;
  /** Path of the handler, such as `/validate/apps/v1/deployments`. */
  readonly path: string;
  /** Content of the configuration of its webhook. */
  readonly registration: AdmissionRegistration;
}

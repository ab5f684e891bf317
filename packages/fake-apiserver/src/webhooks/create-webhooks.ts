import type { Clock, Random } from "@listwatch/core-fifo/base";
import type { ResourceStore } from "../storage/resource-store.ts";
import type { ConditionEvaluator } from "./match-conditions.ts";
import { RequestWebhooks } from "./request-webhooks.ts";
import { WebhookClient } from "./webhook-client.ts";
import { webhooksIn } from "./webhook-configuration.ts";
import type { WebhookSettings } from "./webhook-settings.ts";

// k8s.io/apiserver endpoints/handlers/rest.go: `requestTimeoutUpperBound`.
const longestRequestMs = 34_000;

/** Dependencies of the webhooks of one request. */
export interface WebhookParts {
  /** The stored MutatingWebhookConfigurations. */
  readonly mutating: ResourceStore;
  /** The stored ValidatingWebhookConfigurations. */
  readonly validating: ResourceStore;
  readonly namespaces: ResourceStore;
  readonly settings: WebhookSettings;
  readonly clock: Clock;
  /** Creates the uids of reviews. */
  readonly random: Random;
  /** Collects texts for Warning headers. */
  readonly warnings: string[];
  /** Loads the evaluator of match conditions. */
  readonly loadConditions: () => Promise<ConditionEvaluator>;
}

/** Creates the webhooks of a request that begins now. */
export function createRequestWebhooks(parts: WebhookParts): RequestWebhooks {
  const { clock, loadConditions, mutating, namespaces, random, settings, validating, warnings } =
    parts;
  return new RequestWebhooks({
    mutating: webhooksIn(mutating),
    validating: webhooksIn(validating),
    namespaces,
    client: new WebhookClient(settings, clock),
    random,
    warnings,
    deadlineMs: clock.now() + longestRequestMs,
    loadConditions,
  });
}

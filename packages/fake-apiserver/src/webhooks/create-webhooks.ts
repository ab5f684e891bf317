import { type Clock, inRealTime, type Random } from "@listwatch/core-fifo/base";
import { loadPatternEngine } from "../schema/pattern.ts";
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
}

// Loaded late: the evaluator is larger than half of the server.
async function loadConditions(): Promise<ConditionEvaluator> {
  const [{ conditionEvaluator }] = await Promise.all([
    inRealTime(import("./condition-evaluator.ts")),
    loadPatternEngine(),
  ]);
  return conditionEvaluator;
}

/** Creates the webhooks of a request that begins now. */
export function createRequestWebhooks(parts: WebhookParts): RequestWebhooks {
  const { clock, mutating, namespaces, random, settings, validating, warnings } = parts;
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

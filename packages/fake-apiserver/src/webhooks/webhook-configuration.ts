import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { objects, text, texts } from "../base/read-fields.ts";
import { formatLabelSelector } from "../selectors/format-label-selector.ts";
import { type LabelSelector, parseLabelSelector } from "../selectors/label-selector.ts";
import type { ResourceStore } from "../storage/resource-store.ts";
import type { StoredObject } from "../storage/stored-object.ts";

/** A rule of a webhook or a policy: the writes that it is for. */
export interface WebhookRule {
  readonly operations: readonly string[];
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly resources: readonly string[];
  /** `*`, `Namespaced` or `Cluster`. */
  readonly scope: string;
  /** Names of objects; rules of webhooks have none. @default all */
  readonly resourceNames?: readonly string[] | undefined;
}

/** A CEL condition of a webhook. */
export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/** A webhook of a stored configuration. */
export interface AdmissionWebhook {
  /** Configuration, name and count of the name, as in k8s.io/apiserver: unique on the server. */
  readonly uid: string;
  readonly name: string;
  readonly config: JsonObject;
  readonly rules: readonly WebhookRule[];
  readonly namespaceSelector: LabelSelector;
  readonly objectSelector: LabelSelector;
  readonly matchConditions: readonly MatchCondition[];
  /** Whether rules also match resources with the same objects in another version or group. */
  readonly matchesEquivalents: boolean;
  /** Whether a failure of the call lets the write pass. */
  readonly ignoresFailures: boolean;
  /** Whether a dry run may call it. */
  readonly takesDryRuns: boolean;
  readonly reinvoked: boolean;
  readonly timeoutSeconds: number;
  readonly reviewVersions: readonly string[];
}

// Configurations are immutable, so each is read once.
const known = new WeakMap<StoredObject, readonly AdmissionWebhook[]>();

/** Returns the webhooks of a kind of configuration: sorted by configuration, then as listed there. */
export function webhooksIn(configurations: ResourceStore): readonly AdmissionWebhook[] {
  return configurations.objects().flatMap((stored) => {
    const read = known.get(stored) ?? readConfiguration(stored.object);
    known.set(stored, read);
    return read;
  });
}

function readConfiguration(configuration: ApiObject): readonly AdmissionWebhook[] {
  const counts = new Map<string, number>();
  return objects(configuration, "webhooks").map((webhook) => {
    const name = text(webhook, "name");
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return readWebhook(`${configuration.metadata.name ?? ""}/${name}/${count}`, webhook);
  });
}

function readWebhook(uid: string, webhook: JsonObject): AdmissionWebhook {
  const { timeoutSeconds } = webhook;
  return {
    uid,
    name: text(webhook, "name"),
    config: recordOf(webhook["clientConfig"]),
    rules: objects(webhook, "rules").map(readRule),
    namespaceSelector: selectorOf(webhook["namespaceSelector"]),
    objectSelector: selectorOf(webhook["objectSelector"]),
    matchConditions: objects(webhook, "matchConditions").map((condition) => ({
      name: text(condition, "name"),
      expression: text(condition, "expression"),
    })),
    matchesEquivalents: text(webhook, "matchPolicy") !== "Exact",
    ignoresFailures: text(webhook, "failurePolicy") === "Ignore",
    takesDryRuns: ["None", "NoneOnDryRun"].includes(text(webhook, "sideEffects")),
    reinvoked: text(webhook, "reinvocationPolicy") === "IfNeeded",
    timeoutSeconds: typeof timeoutSeconds === "number" ? timeoutSeconds : 10,
    reviewVersions: texts(webhook, "admissionReviewVersions"),
  };
}

/** Reads a rule of a webhook or a policy. */
export function readRule(rule: JsonObject): WebhookRule {
  return {
    operations: texts(rule, "operations"),
    apiGroups: texts(rule, "apiGroups"),
    apiVersions: texts(rule, "apiVersions"),
    resources: texts(rule, "resources"),
    scope: text(rule, "scope") || "*",
    resourceNames: texts(rule, "resourceNames"),
  };
}

/** Reads a selector of labels; an absent one selects everything. */
export function selectorOf(selector: unknown): LabelSelector {
  const { matchExpressions, matchLabels } = recordOf(isRecord(selector) ? selector : {});
  return parseLabelSelector(
    formatLabelSelector({ matchLabels: matchLabels ?? {}, matchExpressions }),
  );
}

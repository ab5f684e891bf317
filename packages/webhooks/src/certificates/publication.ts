import { type Client, isStatusError } from "@listwatch/client";
import { isRecord, type JsonObject, recordOf, stringOf } from "@listwatch/core-fifo/base";
import {
  mutatingwebhookconfigurations,
  validatingwebhookconfigurations,
} from "@listwatch/resources/admissionregistration.k8s.io/v1";
import { customresourcedefinitions } from "@listwatch/resources/apiextensions.k8s.io/v1";
import type { WebhookConfigurations } from "../configurations/configurations.ts";
import { certificatesIn, decodeBase64, haveSameElements } from "./pem.ts";

/**
 * The rules that an object has, as JSON without the authorities. So a replica of another version
 * can change the authorities of webhooks that it does not know, and keep the rules.
 */
const rulesAnnotation = "webhooks.listwatch/rules";

/** An object of the cluster that makes API servers call webhooks of ours. */
export interface Target {
  /** Rules of this version, as JSON: a configuration, or the conversion of a definition. */
  readonly rules: string;
  /** Reads the object, if it exists. */
  get(signal: AbortSignal): Promise<JsonObject | undefined>;
  /** Creates the object without webhooks; undefined if another program creates it. */
  readonly create: ((signal: AbortSignal) => Promise<JsonObject>) | undefined;
  /** Applies rules and authorities, as one write with the resourceVersion that was read. */
  apply(
    rules: string,
    authorities: readonly string[],
    resourceVersion: string,
    signal: AbortSignal,
  ): Promise<void>;
  /** Returns the `caBundle` of each webhook of the rules; undefined for one that is absent. */
  bundlesOf(object: JsonObject, rules: string): readonly (readonly string[] | undefined)[];
}

/** A target as it was read. */
export interface ReadTarget {
  readonly target: Target;
  readonly object: JsonObject | undefined;
  /** The rules that the object has; those of this version if it names none. */
  readonly rules: string;
  /** Bundles of the webhooks that API servers call. */
  readonly bundles: readonly (readonly string[])[];
  /** Whether the object does not exist and can be created, or has rules of another version. */
  readonly isOutdated: boolean;
  /** Whether a webhook of the rules that the object has is absent from it. */
  readonly isIncomplete: boolean;
}

/** The objects to which the webhooks of configurations belong. */
export function targetsOf(
  client: Client,
  { conversions, mutating, validating }: WebhookConfigurations,
  fieldManager: string,
): readonly Target[] {
  const applied = { force: true, fieldManager } as const;
  const definitions = client.resource(customresourcedefinitions);
  const targets: Target[] = conversions.map(({ conversion, name }) => ({
    rules: JSON.stringify(conversion),
    get: (signal) => ifFound(definitions.get(name, { signal })),
    create: undefined,
    apply: async (rules, authorities, resourceVersion, signal) => {
      const { webhook = { conversionReviewVersions: ["v1"] }, ...rest } = readRules(
        rules,
        conversion,
      );
      const clientConfig = { ...webhook.clientConfig, caBundle: btoa(authorities.join("")) };
      const spec = { conversion: { ...rest, webhook: { ...webhook, clientConfig } } };
      const metadata = { name, resourceVersion, annotations: { [rulesAnnotation]: rules } };
      await definitions.apply({ metadata, spec }, { ...applied, signal });
    },
    bundlesOf: (object) => {
      const { strategy, webhook } = recordOf(recordOf(object["spec"])["conversion"]);
      return [strategy === "Webhook" ? bundleOf(webhook) : undefined];
    },
  }));
  if (mutating !== undefined) {
    const api = client.resource(mutatingwebhookconfigurations);
    const { name } = mutating.metadata;
    targets.push({
      rules: JSON.stringify(mutating),
      get: (signal) => ifFound(api.get(name, { signal })),
      create: async (signal) =>
        asJson(await api.create({ metadata: { name } }, { fieldManager, signal })),
      apply: async (rules, authorities, resourceVersion, signal) => {
        const stored = readRules(rules, mutating);
        const body = withBundle(stored, rules, authorities, resourceVersion);
        await api.apply(body, { ...applied, signal });
      },
      bundlesOf: bundlesIn,
    });
  }
  if (validating !== undefined) {
    const api = client.resource(validatingwebhookconfigurations);
    const { name } = validating.metadata;
    targets.push({
      rules: JSON.stringify(validating),
      get: (signal) => ifFound(api.get(name, { signal })),
      create: async (signal) =>
        asJson(await api.create({ metadata: { name } }, { fieldManager, signal })),
      apply: async (rules, authorities, resourceVersion, signal) => {
        const stored = readRules(rules, validating);
        const body = withBundle(stored, rules, authorities, resourceVersion);
        await api.apply(body, { ...applied, signal });
      },
      bundlesOf: bundlesIn,
    });
  }
  return targets;
}

/** Reads a target. */
export async function readTarget(target: Target, signal: AbortSignal): Promise<ReadTarget> {
  const object = await target.get(signal);
  if (object === undefined) {
    const isOutdated = target.create !== undefined;
    return { target, object, rules: target.rules, bundles: [], isOutdated, isIncomplete: false };
  }
  const named = stringOf(recordOf(recordOf(object["metadata"])["annotations"])[rulesAnnotation]);
  const rules = areRules(named) ? named : target.rules;
  const found = target.bundlesOf(object, rules);
  const bundles = found.filter((bundle) => bundle !== undefined);
  const isIncomplete = rules === named && bundles.length < found.length;
  return { target, object, rules, bundles, isOutdated: named !== target.rules, isIncomplete };
}

/**
 * How a write treats what is there: `add` and `replace` change the authorities of the rules that
 * the object has, and write nothing if they are as wanted. `apply` adds authorities and writes the
 * rules as well.
 */
export type Change = "add" | "apply" | "replace";

/**
 * Writes authorities to a target. The write fails with a conflict if the object has changed since
 * it was read, so a replica that was late cannot undo the write of another one.
 *
 * @param rules rules to write
 */
export async function writeTarget(
  { bundles, object, target }: ReadTarget,
  rules: string,
  authorities: readonly string[],
  change: Change,
  signal: AbortSignal,
): Promise<void> {
  const known = change === "replace" ? [] : bundles.flat();
  const wanted = [...new Set([...authorities, ...known])];
  const isDone = bundles.every((bundle) => haveSameElements(bundle, wanted));
  if (isDone && change !== "apply") return;
  // An apply that creates has no precondition, so the object is created first, without webhooks.
  const stored = object ?? (await target.create?.(signal));
  if (stored === undefined) return;
  await target.apply(rules, wanted, versionOf(stored), signal);
}

interface NamedWebhook {
  readonly name: string;
  readonly clientConfig: object;
}
interface Configuration<W extends NamedWebhook> {
  readonly metadata: { readonly name: string; readonly annotations?: Record<string, string> };
  readonly webhooks?: readonly W[] | undefined;
}

function withBundle<W extends NamedWebhook, T extends Configuration<W>>(
  configuration: T & Configuration<W>,
  rules: string,
  authorities: readonly string[],
  resourceVersion: string,
): T {
  const caBundle = btoa(authorities.join(""));
  return {
    ...configuration,
    metadata: {
      ...configuration.metadata,
      resourceVersion,
      annotations: { [rulesAnnotation]: rules },
    },
    webhooks: configuration.webhooks?.map((webhook) => ({
      ...webhook,
      clientConfig: { ...webhook.clientConfig, caBundle },
    })),
  };
}

function bundlesIn(
  { webhooks: stored }: JsonObject,
  rules: string,
): readonly (readonly string[] | undefined)[] {
  const found = Array.isArray(stored) ? stored.filter(isRecord) : [];
  const { webhooks } = recordOf(JSON.parse(rules));
  const named = Array.isArray(webhooks) ? webhooks.filter(isRecord) : [];
  return named.map(({ name }) => {
    const webhook = found.find((one) => one["name"] === name);
    return webhook && bundleOf(webhook);
  });
}

/** Whether an annotation can be applied. It is not if it was edited by hand. */
function areRules(text: string): boolean {
  try {
    const { strategy, webhooks } = recordOf(JSON.parse(text));
    return Array.isArray(webhooks) ? webhooks.every(isRecord) : typeof strategy === "string";
  } catch {
    return false;
  }
}

/** The rules of an annotation, which are those of this or of another version. */
function readRules<T>(rules: string, own: T): T {
  if (rules === JSON.stringify(own)) return own;
  // The API server checks them when they are applied.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(rules) as T;
}

function bundleOf(webhook: unknown): readonly string[] {
  const { caBundle } = recordOf(recordOf(webhook)["clientConfig"]);
  return certificatesIn(decodeBase64(stringOf(caBundle)));
}

function versionOf(object: JsonObject): string {
  return stringOf(recordOf(object["metadata"])["resourceVersion"]);
}

async function ifFound(read: Promise<object>): Promise<JsonObject | undefined> {
  try {
    return asJson(await read);
  } catch (error) {
    if (isStatusError(error, "NotFound")) return undefined;
    throw error;
  }
}

function asJson(object: object): JsonObject {
  return recordOf(object);
}

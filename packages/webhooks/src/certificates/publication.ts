import { type Client, isStatusError } from "@listwatch/client";
import { isRecord, type JsonObject, recordOf, stringOf } from "@listwatch/core-fifo/base";
import {
  mutatingwebhookconfigurations,
  validatingwebhookconfigurations,
} from "@listwatch/resources/admissionregistration.k8s.io/v1";
import { customresourcedefinitions } from "@listwatch/resources/apiextensions.k8s.io/v1";
import type { WebhookConfigurations } from "../configurations/configurations.ts";
import { certificatesIn, decodeBase64, haveSameElements } from "./pem.ts";

/** An object of the cluster that makes API servers call webhooks of ours. */
export interface Target {
  /** Reads the object, if it exists. */
  get(signal: AbortSignal): Promise<JsonObject | undefined>;
  /** Creates the object without webhooks; undefined if another program creates it. */
  readonly create: ((signal: AbortSignal) => Promise<JsonObject>) | undefined;
  /** Applies our fields, as one write with the resourceVersion that was read. */
  apply(
    authorities: readonly string[],
    resourceVersion: string,
    signal: AbortSignal,
  ): Promise<void>;
  /** Returns the `caBundle` of each of our webhooks; undefined for a webhook that is absent. */
  bundlesOf(object: JsonObject): readonly (readonly string[] | undefined)[];
}

/** A target as it was read. */
export interface ReadTarget {
  readonly target: Target;
  readonly object: JsonObject | undefined;
  /** Bundles of the webhooks that API servers call. */
  readonly bundles: readonly (readonly string[])[];
  /** Whether the object, or a webhook in it, is absent and can be written. */
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
    get: (signal) => ifFound(definitions.get(name, { signal })),
    create: undefined,
    apply: async (authorities, resourceVersion, signal) => {
      const { webhook = { conversionReviewVersions: ["v1"] } } = conversion;
      const clientConfig = { ...webhook.clientConfig, caBundle: btoa(authorities.join("")) };
      const spec = { conversion: { ...conversion, webhook: { ...webhook, clientConfig } } };
      const metadata = { name, resourceVersion };
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
      get: (signal) => ifFound(api.get(name, { signal })),
      create: async (signal) =>
        asJson(await api.create({ metadata: { name } }, { fieldManager, signal })),
      apply: async (authorities, resourceVersion, signal) => {
        await api.apply(withBundle(mutating, authorities, resourceVersion), { ...applied, signal });
      },
      bundlesOf: (object) => bundlesIn(object, mutating),
    });
  }
  if (validating !== undefined) {
    const api = client.resource(validatingwebhookconfigurations);
    const { name } = validating.metadata;
    targets.push({
      get: (signal) => ifFound(api.get(name, { signal })),
      create: async (signal) =>
        asJson(await api.create({ metadata: { name } }, { fieldManager, signal })),
      apply: async (authorities, resourceVersion, signal) => {
        const body = withBundle(validating, authorities, resourceVersion);
        await api.apply(body, { ...applied, signal });
      },
      bundlesOf: (object) => bundlesIn(object, validating),
    });
  }
  return targets;
}

/** Reads a target. */
export async function readTarget(target: Target, signal: AbortSignal): Promise<ReadTarget> {
  const object = await target.get(signal);
  if (object === undefined) {
    return { target, object, bundles: [], isIncomplete: target.create !== undefined };
  }
  const found = target.bundlesOf(object);
  const bundles = found.filter((bundle) => bundle !== undefined);
  return { target, object, bundles, isIncomplete: bundles.length < found.length };
}

/**
 * How a write treats what is there: `add` and `replace` change the authorities, and write nothing
 * if they are as wanted. `apply` adds authorities and writes all other fields as well.
 */
export type Change = "add" | "apply" | "replace";

/**
 * Writes authorities to a target. The write fails with a conflict if the object has changed since
 * it was read, so a replica that was late cannot undo the write of another one.
 */
export async function writeTarget(
  { bundles, object, target }: ReadTarget,
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
  await target.apply(wanted, versionOf(stored), signal);
}

interface NamedWebhook {
  readonly name: string;
  readonly clientConfig: object;
}
interface Configuration<W extends NamedWebhook> {
  readonly metadata: { readonly name: string };
  readonly webhooks?: readonly W[] | undefined;
}

function withBundle<W extends NamedWebhook, T extends Configuration<W>>(
  configuration: T & Configuration<W>,
  authorities: readonly string[],
  resourceVersion: string,
): T {
  const caBundle = btoa(authorities.join(""));
  return {
    ...configuration,
    metadata: { ...configuration.metadata, resourceVersion },
    webhooks: configuration.webhooks?.map((webhook) => ({
      ...webhook,
      clientConfig: { ...webhook.clientConfig, caBundle },
    })),
  };
}

function bundlesIn(
  object: JsonObject,
  { webhooks = [] }: Configuration<NamedWebhook>,
): readonly (readonly string[] | undefined)[] {
  const { webhooks: stored } = object;
  const found = Array.isArray(stored) ? stored.filter(isRecord) : [];
  return webhooks.map(({ name }) => {
    const webhook = found.find((one) => one["name"] === name);
    return webhook && bundleOf(webhook);
  });
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

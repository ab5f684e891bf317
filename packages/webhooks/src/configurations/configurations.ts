import type { Client } from "@listwatch/client";
import {
  checkOption,
  checkOptions,
  anArrayOf,
  aFunction,
  aString,
  createInvalidOptionError,
  having,
  someStrings,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import {
  type MutatingWebhook,
  type MutatingWebhookConfiguration,
  mutatingwebhookconfigurations,
  type ValidatingWebhookConfiguration,
  validatingwebhookconfigurations,
} from "@listwatch/resources/admissionregistration.k8s.io/v1";
import {
  type CustomResourceConversion,
  customresourcedefinitions,
} from "@listwatch/resources/apiextensions.k8s.io/v1";
import type { AdmissionHandler } from "../admission/registration.ts";
import type { WebhookSelector } from "../admission/webhook-options.ts";
import type { ConversionHandler } from "../conversion/conversion.ts";
import type { WebhookHandler } from "../routing/route-webhooks.ts";
import {
  addressTable,
  checkAddress,
  clientConfigOf,
  type WebhookAddress,
} from "./client-config.ts";

/** Options of {@link webhookConfigurations}. */
export interface WebhookConfigurationOptions extends WebhookAddress {
  /** Name of the configurations, such as `my-operator`. */
  readonly name: string;
  /**
   * Namespaces whose objects the admission webhooks do not review, with the namespaces themselves.
   * A webhook that is away could otherwise keep its own pods, Secret, Lease and namespace from
   * being repaired. Required with `url`.
   *
   * @default the namespace of the service
   */
  readonly excludedNamespaces?: readonly string[] | undefined;
  /** Labels of the configurations. @default none */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** The conversion of a CustomResourceDefinition. */
export interface DefinitionConversion {
  /** Name of the definition, such as `widgets.example.com`. */
  readonly name: string;
  /** `spec.conversion` of the definition. */
  readonly conversion: CustomResourceConversion;
}

/** Configurations of the webhooks of an operator. */
export interface WebhookConfigurations {
  /** Configuration of the mutating handlers; undefined if there are none. */
  readonly mutating: ConfigurationDraft<MutatingWebhookConfiguration> | undefined;
  /** Configuration of the validating handlers; undefined if there are none. */
  readonly validating: ConfigurationDraft<ValidatingWebhookConfiguration> | undefined;
  /** Conversions of custom resources. */
  readonly conversions: readonly DefinitionConversion[];
}

/** A configuration before it is stored. */
export type ConfigurationDraft<T> = Omit<T, "metadata"> & {
  /** Name and labels of the configuration. */
  readonly metadata: { readonly name: string; readonly labels?: Record<string, string> };
};

const optionTable: OptionsOf<WebhookConfigurationOptions> = {
  ...addressTable,
  name: aString,
  excludedNamespaces: someStrings,
  labels: (labels) => (typeof labels === "object" && labels !== null ? undefined : "an object"),
};

// Set on each namespace by the API server, kubernetes/api core/v1 `LabelMetadataName`.
const namespaceName = "kubernetes.io/metadata.name";

/**
 * Writes the configurations of handlers: a MutatingWebhookConfiguration, a
 * ValidatingWebhookConfiguration, and the conversions of CustomResourceDefinitions. Sends nothing:
 * see {@link applyWebhookConfigurations}.
 *
 * Admission webhooks exclude the namespace of the service by default, so that the operator's pods,
 * Secret, Lease and namespace do not depend on its own webhooks.
 *
 * ```ts
 * import { validating, webhookConfigurations } from "@listwatch/webhooks";
 *
 * const pods = { group: "", version: "v1", resource: "pods" };
 * const { validating: configuration } = webhookConfigurations([validating(pods, () => {})], {
 *   name: "my-operator",
 *   service: { namespace: "operators", name: "my-operator" },
 * });
 * if (configuration?.webhooks?.[0]?.name !== "validate.pods.core")
 *   throw new Error("no webhook");
 * ```
 *
 * @param handlers handlers, or those of a router
 * @throws {InvalidOptionsError} if an option cannot be used, or two handlers of a kind have the
 *   same name
 */
export function webhookConfigurations(
  handlers: readonly WebhookHandler[],
  options: WebhookConfigurationOptions,
): WebhookConfigurations {
  checkOption("handlers", handlers, anArrayOf(aFunction, "an array of handlers"));
  checkOptions(options, optionTable, ["name", "service.namespace", "service.name"]);
  checkAddress(options);
  const { name, service, labels } = options;
  const excluded = options.excludedNamespaces ?? (service && [service.namespace]);
  if (excluded === undefined) {
    const expected = "the namespaces of the operator, or an empty array, with a url";
    throw createInvalidOptionError("excludedNamespaces", expected, excluded);
  }
  const metadata = { name, ...(labels === undefined ? {} : { labels: { ...labels } }) };
  const webhooksOf = (type: "mutating" | "validating"): MutatingWebhook[] => {
    const chosen = handlers.filter(
      (handler): handler is AdmissionHandler => handler.registration.type === type,
    );
    checkNames(chosen);
    return chosen.map((handler) => webhookOf(handler, options, excluded));
  };
  const apiVersion = "admissionregistration.k8s.io/v1";
  const mutating = webhooksOf("mutating");
  const validating = webhooksOf("validating");
  return {
    mutating:
      mutating.length === 0
        ? undefined
        : { apiVersion, kind: "MutatingWebhookConfiguration", metadata, webhooks: mutating },
    validating:
      validating.length === 0
        ? undefined
        : { apiVersion, kind: "ValidatingWebhookConfiguration", metadata, webhooks: validating },
    conversions: handlers
      .filter((handler): handler is ConversionHandler => handler.registration.type === "conversion")
      .map((handler) => conversionOf(handler, options)),
  };
}

/** Options of {@link applyWebhookConfigurations}. */
export interface ApplyConfigurationsOptions {
  /** Owner of the applied fields. @default the field manager of the client */
  readonly fieldManager?: string | undefined;
}

const applyTable: OptionsOf<ApplyConfigurationsOptions> = { fieldManager: aString };

/**
 * Writes configurations to a cluster by server-side apply, conversions first. Fields of others,
 * such as a `caBundle` that is not in the configurations, stay. A definition must exist before its
 * conversion is applied. Conflicts with other managers are overwritten: the operator knows its
 * webhooks.
 *
 * Configurations of webhooks that an operator no longer has are not deleted.
 *
 * @param client client with the right to patch the configurations and definitions
 * @throws {StatusError} if the server refuses
 */
export async function applyWebhookConfigurations(
  client: Client,
  { conversions, mutating, validating }: WebhookConfigurations,
  options: ApplyConfigurationsOptions = {},
): Promise<void> {
  checkOption("client", client, having("resource"));
  checkOptions(options, applyTable);
  const { fieldManager } = options;
  const applied = { force: true, ...(fieldManager === undefined ? {} : { fieldManager }) };
  for (const { conversion, name } of conversions) {
    const definition = { metadata: { name }, spec: { conversion } };
    await client.resource(customresourcedefinitions).apply(definition, applied);
  }
  if (mutating !== undefined) {
    await client.resource(mutatingwebhookconfigurations).apply(mutating, applied);
  }
  if (validating !== undefined) {
    await client.resource(validatingwebhookconfigurations).apply(validating, applied);
  }
}

function checkNames(handlers: readonly AdmissionHandler[]): void {
  const names = new Set<string>();
  for (const { registration } of handlers) {
    if (names.has(registration.name)) {
      const expected = "another name for each handler, see their option name";
      throw createInvalidOptionError("handlers", expected, registration.name);
    }
    names.add(registration.name);
  }
}

function webhookOf(
  { path, registration }: AdmissionHandler,
  options: WebhookConfigurationOptions,
  excluded: readonly string[],
): MutatingWebhook {
  const { name, namespaceSelector, rules, sideEffects = "None", type: _, ...rest } = registration;
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  return {
    ...Object.fromEntries(given),
    name,
    admissionReviewVersions: ["v1"],
    clientConfig: clientConfigOf(options, path),
    sideEffects,
    namespaceSelector: excluding(namespaceSelector, excluded),
    rules: rules.map(({ apiGroups, apiVersions, operations, resources, scope }) => ({
      operations: [...operations],
      apiGroups: [...apiGroups],
      apiVersions: [...apiVersions],
      resources: [...resources],
      scope,
    })),
  };
}

function excluding(
  { matchExpressions = [], matchLabels }: WebhookSelector = {},
  namespaces: readonly string[],
): NonNullable<MutatingWebhook["namespaceSelector"]> {
  const expressions = matchExpressions.map(({ key, operator, values }) => ({
    key,
    operator,
    ...(values === undefined ? {} : { values: [...values] }),
  }));
  const own = { key: namespaceName, operator: "NotIn", values: [...namespaces] };
  return {
    ...(matchLabels === undefined ? {} : { matchLabels: { ...matchLabels } }),
    matchExpressions: namespaces.length === 0 ? expressions : [...expressions, own],
  };
}

function conversionOf(
  { path, registration }: ConversionHandler,
  options: WebhookConfigurationOptions,
): DefinitionConversion {
  const { group, resource } = registration;
  return {
    name: `${resource}.${group}`,
    conversion: {
      strategy: "Webhook",
      webhook: {
        clientConfig: clientConfigOf(options, path),
        conversionReviewVersions: ["v1"],
      },
    },
  };
}

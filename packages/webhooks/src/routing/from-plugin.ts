import type { JsonPatch } from "@listwatch/client";
import {
  anObject,
  aString,
  checkOption,
  checkOptions,
  createInvalidOptionError,
  isRecord,
  type JsonObject,
} from "@listwatch/core-fifo/base";
import { answerWith, type Reviewer } from "../admission/answer-review.ts";
import type { ReviewOperation, ReviewRequest, ReviewUser } from "../admission/admission-request.ts";
import { plainJson, registrationOf, withRegistration } from "../admission/handlers.ts";
import type { AdmissionHandler, AdmissionRegistration } from "../admission/registration.ts";
import { createJsonPatch } from "../patch/create-patch.ts";
import { type MutatingOptions, mutatingTable } from "../admission/webhook-options.ts";

/** A request as the fake API server presents it to its plugins: absent members are empty. */
export interface PluginRequest {
  /** Id of this review. */
  readonly uid: string;
  /** Type of the object. */
  readonly kind: ReviewRequest["kind"];
  /** Resource of the request. */
  readonly resource: ReviewRequest["resource"];
  /** Name of the subresource; `""` for the resource itself. */
  readonly subResource: string;
  /** Name of the object; `""` for a create with `generateName`. */
  readonly name: string;
  /** Namespace of the object; `""` for cluster-scoped resources. */
  readonly namespace: string;
  /** Operation of the request. */
  readonly operation: ReviewOperation;
  /** Sender of the request. */
  readonly userInfo: ReviewUser;
  /** The object as it would be stored; null for a delete. */
  readonly object: PluginObject | null;
  /** The stored object; null for a create. */
  readonly oldObject: PluginObject | null;
  /** Whether nothing is stored. */
  readonly dryRun: boolean;
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions of the request. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** An object passed to a plugin: a copy that it may change. */
export interface PluginObject {
  /** Metadata of the object. */
  metadata: {
    /** Labels of the object. */
    labels?: Record<string, string> | undefined;
    /** Annotations of the object. */
    annotations?: Record<string, string> | undefined;
    /** Any other member of the metadata. */
    [field: string]: unknown;
  };
  /** Any other member of the object, such as `spec`. */
  [field: string]: unknown;
}

/** The decision of a plugin. */
export interface PluginVerdict {
  /** Whether the request may continue. */
  readonly allowed: boolean;
  /** The reason of a refusal, for the client. @default "" */
  readonly message?: string | undefined;
  /** Status code of a refusal. @default 403 */
  readonly code?: number | undefined;
  /** Reason of a refusal. @default the reason of the code */
  readonly reason?: string | undefined;
  /** Warnings for the client. @default none */
  readonly warnings?: readonly string[] | undefined;
}

/**
 * An admission plugin as the option `admission` of the fake API server takes it. An
 * `AdmissionPlugin` of `@listwatch/fake-apiserver` is assignable; this package does not need that
 * one.
 */
export interface ReviewPlugin {
  /** Name of the plugin. */
  readonly name: string;
  /** Requests that the plugin sees. @default all */
  readonly match?:
    | {
        /** Operations of the requests. @default all */
        readonly operations?: readonly ReviewOperation[] | undefined;
        /** API groups of the resources. @default all */
        readonly apiGroups?: readonly string[] | undefined;
        /** Resources and subresources, such as `pods/*`. @default all */
        readonly resources?: readonly string[] | undefined;
      }
    | undefined;
  /** Called with each create and update. Changes the object, or returns another one or a patch. */
  mutate?(
    request: PluginRequest,
  ): Readonly<Record<string, unknown>> | readonly object[] | undefined | void;
  /** Called with each request. Returning nothing allows it. */
  validate?(request: PluginRequest): PluginVerdict | undefined | void;
}

/** Options of {@link fromPlugin}. */
export type PluginOptions = Omit<MutatingOptions, "operations" | "path" | "subresource">;

const ownOptions: readonly string[] = ["operations", "path", "subresource"];
const pluginTable = Object.fromEntries(
  Object.entries(mutatingTable).filter(([name]) => !ownOptions.includes(name)),
);

/**
 * Creates the handlers of an admission plugin of the fake API server: a mutating one if it has
 * `mutate`, then a validating one if it has `validate`. Their paths are `/mutate/plugins/NAME` and
 * `/validate/plugins/NAME`. The reverse is not offered: plugins are synchronous.
 *
 * Rules cover all versions. `*` with a slash and `*` of a plugin means resources and subresources,
 * as in a configuration; a plugin for everything needs a `namespaceSelector` on a real cluster.
 *
 * ```ts
 * import { fromPlugin, routeWebhooks } from "@listwatch/webhooks";
 *
 * const plugin = {
 *   name: "no-latest",
 *   match: { resources: ["pods"] },
 *   validate: () => ({ allowed: false, message: "no pods here" }),
 * };
 * const { handlers } = routeWebhooks(fromPlugin(plugin));
 * if (handlers[0]?.path !== "/validate/plugins/no-latest") throw new Error("no such path");
 * ```
 *
 * @param plugin plugin whose functions the handlers call
 * @param options options of both handlers
 * @throws {InvalidOptionsError} if the plugin has neither function, or an option cannot be used
 */
export function fromPlugin(
  plugin: ReviewPlugin,
  options: PluginOptions = {},
): readonly AdmissionHandler[] {
  checkOption("plugin", plugin, anObject);
  checkOption("plugin.name", plugin.name, aString);
  checkOptions(options, pluginTable);
  const handlers: AdmissionHandler[] = [];
  if (plugin.mutate !== undefined) handlers.push(createHandler(plugin, "mutating", options));
  if (plugin.validate !== undefined) handlers.push(createHandler(plugin, "validating", options));
  if (handlers.length > 0) return handlers;
  throw createInvalidOptionError("plugin", "a plugin with mutate or validate", plugin);
}

function createHandler(
  plugin: ReviewPlugin,
  type: AdmissionRegistration["type"],
  options: PluginOptions,
): AdmissionHandler {
  const isMutating = type === "mutating";
  const verb = isMutating ? "mutate" : "validate";
  const { apiGroups = ["*"], operations = ["*"], resources = ["*/*"] } = plugin.match ?? {};
  const label = plugin.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  const { name = `${verb}.${label}.plugins` } = options;
  // Only creates and updates have an object to change.
  const changing = ["CREATE", "UPDATE"] as const;
  const mutated = changing.filter((each) => operations.some((one) => one === "*" || one === each));
  const rule = {
    operations: isMutating ? mutated : operations,
    apiGroups,
    apiVersions: ["*"],
    resources,
    scope: "*",
  } as const;
  const answer = answerWith(reviewerOf(plugin, name, isMutating), options);
  const { reinvocationPolicy, ...registration } = registrationOf(options);
  return withRegistration(answer, `/${verb}/plugins/${label}`, {
    ...registration,
    ...(isMutating ? { reinvocationPolicy } : {}),
    type,
    name,
    rules: [rule],
  });
}

function reviewerOf(plugin: ReviewPlugin, name: string, isMutating: boolean): Reviewer {
  return {
    name,
    // A plugin decides itself what its rules let through.
    check: () => undefined,
    decide: async ({ decision, review: { request } }) => {
      if (isMutating) return mutateWith(plugin, request);
      const verdict = plugin.validate?.(presented(request));
      if (verdict === undefined) return undefined;
      for (const warning of verdict.warnings ?? []) decision.warn(warning);
      const { allowed, code, message = "", reason } = verdict;
      if (!allowed) decision.deny(message, { code, reason });
      return undefined;
    },
  };
}

function mutateWith(plugin: ReviewPlugin, request: ReviewRequest): JsonPatch | undefined {
  if (request.object === null) return undefined;
  const before: JsonObject = structuredClone(request.object);
  const returned = plugin.mutate?.(presented(request));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  if (Array.isArray(returned)) return returned as JsonPatch;
  return createJsonPatch(before, plainJson(returned ?? request.object));
}

function presented(request: ReviewRequest): PluginRequest {
  const { dryRun = false, name = "", namespace = "", options, subResource = "" } = request;
  return {
    ...request,
    subResource,
    name,
    namespace,
    dryRun,
    options: isRecord(options) ? options : {},
    // Objects of a server have metadata.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    object: request.object as PluginObject | null,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    oldObject: request.oldObject as PluginObject | null,
  };
}

import {
  isJsonEqual,
  isRecord,
  type JsonObject,
  type Random,
  recordOf,
} from "@listwatch/core-fifo/base";
import { ApiError } from "../api/api-error.ts";
import { admissionDenied, internalError } from "../api/errors.ts";
import type { FoundResource } from "../api/registry.ts";
import type { ApiObject } from "../api/api-object.ts";
import type { UserInfo } from "../api/access.ts";
import { randomUuid } from "../base/random-text.ts";
import { applyJsonPatch, decodeJsonPatch } from "../input/json-patch.ts";
import { decodeObjectMeta } from "../input/object-meta.ts";
import type { RequestInfo } from "../input/request-info.ts";
import type {
  AdmissionOperation,
  AdmissionObject,
  AdmissionPlugin,
  AdmissionRequest,
} from "./admission-plugin.ts";
import { optionsOf } from "./request-options.ts";

/** Dependencies of {@link RequestAdmission}. */
export interface AdmissionContext extends FoundResource {
  readonly plugins: readonly AdmissionPlugin[];
  readonly info: RequestInfo;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** Collects texts for Warning headers. */
  readonly warnings: string[];
  /** Creates the uids of AdmissionReviews. */
  readonly random: Random;
  /** Decodes an object that a plugin has changed: drops unknown fields, fills in defaults. */
  readonly conform: (object: JsonObject) => ApiObject;
  /**
   * Refuses roles and bindings that grant more than the user has.
   *
   * @throws {ApiError} 403
   */
  readonly checkGrants: ((object: ApiObject, old: ApiObject | undefined) => void) | undefined;
}

/** A write in admission. */
export interface AdmittedWrite {
  readonly operation: AdmissionOperation;
  /** Undefined for a delete. */
  readonly object: ApiObject | undefined;
  /** Undefined for a create. */
  readonly oldObject: ApiObject | undefined;
  /** @default from the query */
  readonly dryRun?: boolean | undefined;
}

/** Another kind that presents an object, such as the Scale of a Deployment. */
export interface AdmissionView {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  show(object: ApiObject): JsonObject;
}

/** Runs the plugins for one request. Synchronous, like the writes that follow it. */
export class RequestAdmission {
  readonly #context: AdmissionContext;
  readonly #view: AdmissionView;
  readonly #isMutable: boolean;

  /** @param view another kind to present objects as; plugins cannot change these */
  constructor(context: AdmissionContext, view?: AdmissionView) {
    this.#context = context;
    this.#view = view ?? ownView(context);
    this.#isMutable = view === undefined;
  }

  /** Returns the same admission with objects presented as another kind. */
  shownAs(view: AdmissionView): RequestAdmission {
    return new RequestAdmission(this.#context, view);
  }

  /**
   * Returns the object after all mutating plugins; the same one if they change nothing.
   *
   * @throws {ApiError} 403 if it grants too much, 500 if a plugin fails
   */
  admit(write: AdmittedWrite & { readonly object: ApiObject }): ApiObject {
    const { checkGrants, conform, plugins } = this.#context;
    const mutating = this.#isMutable ? plugins : [];
    const sent = this.#view.show(write.object);
    let current = sent;
    for (const plugin of mutating) {
      if (plugin.mutate === undefined || !this.#isMatched(plugin, write.operation)) continue;
      const request = this.#request(write, current);
      current = mutated(plugin.name, request, plugin.mutate(request));
    }
    const isChanged = current !== sent && !isJsonEqual(current, sent);
    const object = isChanged ? conform(withIdentity(current, write.object)) : write.object;
    checkGrants?.(object, write.oldObject);
    return object;
  }

  /**
   * Runs the validating plugins on a write.
   *
   * @throws {ApiError} if a plugin refuses the write
   */
  validate(write: AdmittedWrite): void {
    const { plugins, warnings } = this.#context;
    for (const plugin of plugins) {
      if (plugin.validate === undefined || !this.#isMatched(plugin, write.operation)) continue;
      const shown = write.object && this.#view.show(write.object);
      const verdict = plugin.validate(this.#request(write, shown)) ?? undefined;
      if (verdict === undefined) continue;
      if (typeof verdict.allowed !== "boolean") throw unusable(plugin.name, "a verdict", verdict);
      warnings.push(...(verdict.warnings ?? []));
      if (!verdict.allowed) throw admissionDenied(plugin.name, verdict);
    }
  }

  #isMatched({ match = {} }: AdmissionPlugin, operation: AdmissionOperation): boolean {
    const { group } = this.#context.info;
    const { apiGroups, operations, resources } = match;
    return (
      (operations?.includes(operation) ?? true) &&
      (apiGroups?.some((wanted) => wanted === "*" || wanted === group) ?? true) &&
      (resources?.some((pattern) => fitsPattern(pattern, this.#context.info)) ?? true)
    );
  }

  #request(write: AdmittedWrite, object: JsonObject | undefined): AdmissionRequest {
    const { dryRun, info, random, user } = this.#context;
    const { group, kind, version } = this.#view;
    const { metadata } = write.object ?? write.oldObject ?? { metadata: {} };
    return {
      uid: randomUuid(random),
      kind: { group, version, kind },
      resource: { group: info.group, version: info.version, resource: info.resource },
      subResource: info.subresource,
      name: metadata.name ?? info.name,
      namespace: info.namespace,
      operation: write.operation,
      userInfo: user,
      object: copied(object),
      oldObject: copied(write.oldObject && this.#view.show(write.oldObject)),
      dryRun: write.dryRun ?? dryRun,
      options: optionsOf(info),
    };
  }
}

/** Whether a pattern of a match, such as `pods/*`, fits the resource of a request. */
function fitsPattern(pattern: string, { resource, subresource }: RequestInfo): boolean {
  const [plural = "", sub = ""] = pattern.split("/");
  if (plural !== "*" && plural !== resource) return false;
  return sub === "*" || sub === subresource;
}

function ownView({ definition, served }: FoundResource): AdmissionView {
  const { group, kind } = definition;
  const conversion = served.conversion ?? definition.storedAs;
  const apiVersion = group === "" ? served.name : `${group}/${served.name}`;
  return {
    group,
    version: served.name,
    kind,
    show: (object) => ({
      ...(conversion?.fromStored(object) ?? object),
      apiVersion,
      kind,
    }),
  };
}

function copied(object: JsonObject | undefined): AdmissionObject | null {
  if (object === undefined) return null;
  const copy = structuredClone(object);
  return { ...copy, metadata: { ...decodeObjectMeta(copy["metadata"]).metadata } };
}

function mutated(name: string, request: AdmissionRequest, returned: unknown): JsonObject {
  const result = Array.isArray(returned)
    ? patched(name, request.object, returned)
    : (returned ?? request.object);
  if (isRecord(result) && isRecord(result["metadata"])) return result;
  throw unusable(name, "an object with metadata", result);
}

function patched(name: string, object: unknown, patch: readonly unknown[]): unknown {
  try {
    return applyJsonPatch(object, decodeJsonPatch(JSON.stringify(patch)).operations);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw internalError(`cannot apply the patch of admission plugin "${name}": ${error.message}`);
  }
}

function unusable(name: string, expected: string, value: unknown): ApiError {
  const got = value instanceof Promise ? "a promise" : JSON.stringify(value);
  return internalError(`admission plugin "${name}" returned ${got}: expected ${expected}`);
}

// Plugins cannot change an object's identity or the metadata that the server sets.
function withIdentity(changed: JsonObject, { metadata }: ApiObject): JsonObject {
  const { annotations, finalizers, labels, ownerReferences } = recordOf(changed["metadata"]);
  const wanted = { annotations, finalizers, labels, ownerReferences };
  const given = Object.entries(wanted).filter(([, value]) => value !== undefined);
  const {
    annotations: _annotations,
    finalizers: _finalizers,
    labels: _labels,
    ownerReferences: _owners,
    ...identity
  } = metadata;
  return { ...changed, metadata: { ...identity, ...Object.fromEntries(given) } };
}

import { isJsonEqual, isRecord, type JsonObject, type Random } from "@listwatch/core-fifo/base";
import { ApiError } from "../api/api-error.ts";
import { admissionDenied, internalError } from "../api/errors.ts";
import type { FoundResource } from "../api/registry.ts";
import type { ApiObject, ApiObjectMeta } from "../api/api-object.ts";
import type { UserInfo } from "../api/access.ts";
import { randomUuid } from "../base/random-text.ts";
import { applyJsonPatch, decodeJsonPatch } from "../input/json-patch.ts";
import type { Steps } from "../base/steps.ts";
import type { DeleteOptions } from "../input/delete-options.ts";
import { decodeObjectMeta } from "../input/object-meta.ts";
import type { RequestInfo } from "../input/request-info.ts";
import type {
  AdmissionOperation,
  AdmissionObject,
  AdmissionPlugin,
  AdmissionRequest,
} from "./admission-plugin.ts";
import type { RequestPolicies } from "../policies/request-policies.ts";
import { InvokedPlugins, Reinvocation } from "../webhooks/reinvocation.ts";
import type { RequestWebhooks } from "../webhooks/request-webhooks.ts";
import type { ReviewedForm, ReviewedWrite } from "../webhooks/reviewed-write.ts";
import {
  type AdmissionView,
  hideSystemFields,
  hideUnsentFields,
  ownView,
  withIdentity,
  withNewIdentity,
  withoutRemovedEntries,
} from "./admission-view.ts";
import type { ReviewedForms } from "./reviewed-forms.ts";
import { deleteOptionsOf, optionsOf, reviewedOptionsOf } from "./request-options.ts";

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
  /** Undefined if no policy is bound. */
  readonly policies: RequestPolicies | undefined;
  /** Undefined if no webhook can review the request. */
  readonly webhooks: RequestWebhooks | undefined;
  readonly forms: ReviewedForms;
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
  /** Name that the client gives; "" for a name that the server generates. @default the object's */
  readonly name?: string | undefined;
  /** Metadata of an update as the client sends it. @default the object's */
  readonly sent?: ApiObjectMeta | undefined;
  /** Options of a delete. @default none */
  readonly deleteOptions?: DeleteOptions | undefined;
}

/** Runs the plugins and webhooks for one request. Waits for nothing if no webhook is called. */
export class RequestAdmission {
  readonly #context: AdmissionContext;
  readonly #view: AdmissionView;
  /** Another kind that presents the objects; plugins cannot change it. */
  readonly #otherView: AdmissionView | undefined;

  /** @param view another kind to present objects as; plugins cannot change these */
  constructor(context: AdmissionContext, view?: AdmissionView) {
    this.#context = context;
    this.#view = view ?? ownView(context);
    this.#otherView = view;
  }

  /** Returns the same admission with objects presented as another kind. */
  shownAs(view: AdmissionView): RequestAdmission {
    return new RequestAdmission(this.#context, view);
  }

  /**
   * Returns the object after all mutating plugins, policies and webhooks; the same one if they
   * change nothing.
   *
   * @throws {ApiError} 403 if it grants too much, 500 if a plugin fails, and refusals of policies
   *   and webhooks
   */
  *admit(write: AdmittedWrite & { readonly object: ApiObject }): Steps<ApiObject> {
    const { checkGrants, policies, webhooks } = this.#context;
    let object = this.#runPlugins(write);
    if (policies !== undefined || webhooks !== undefined) {
      object = yield* this.#runMutations({ ...write, object });
    }
    checkGrants?.(object, write.oldObject);
    return object;
  }

  /** Runs policies, then webhooks, and those that need it a second time. */
  *#runMutations(write: AdmittedWrite & { readonly object: ApiObject }): Steps<ApiObject> {
    const round = new Reinvocation();
    const invoked = { policies: new InvokedPlugins(round), webhooks: new InvokedPlugins(round) };
    const first = yield* this.#runMutatingRound(write, invoked);
    if (!round.isNeeded) return first;
    round.isSecondRound = true;
    return yield* this.#runMutatingRound({ ...write, object: first }, invoked);
  }

  *#runMutatingRound(
    write: AdmittedWrite & { readonly object: ApiObject },
    invoked: Readonly<Record<"policies" | "webhooks", InvokedPlugins>>,
  ): Steps<ApiObject> {
    const { policies, webhooks } = this.#context;
    let { object } = write;
    if (policies !== undefined && write.operation !== "CONNECT") {
      const reviewed = this.#mutated({ ...write, object });
      object = this.#taken(write, object, yield* policies.mutate(reviewed, invoked.policies));
      invoked.policies.end(object);
    }
    if (webhooks !== undefined) {
      const reviewed = this.#mutated({ ...write, object });
      object = this.#taken(write, object, yield* webhooks.mutate(reviewed, invoked.webhooks));
      invoked.webhooks.end(object);
    }
    return object;
  }

  /**
   * Runs all plugins and webhooks on a write whose object they cannot change.
   *
   * @throws {ApiError} if one refuses the write
   */
  *check(write: AdmittedWrite): Steps<void> {
    const { webhooks } = this.#context;
    if (webhooks !== undefined) {
      yield* webhooks.mutate(this.#reviewed(write), new InvokedPlugins(new Reinvocation()));
    }
    yield* this.validate(write);
  }

  #runPlugins(write: AdmittedWrite & { readonly object: ApiObject }): ApiObject {
    const { conform, plugins } = this.#context;
    const mutating = this.#otherView === undefined ? plugins : [];
    const sent = this.#view.show(write.object);
    let current = sent;
    for (const plugin of mutating) {
      if (plugin.mutate === undefined || !this.#isMatched(plugin, write.operation)) continue;
      const request = this.#request(write, current);
      current = mutated(plugin.name, request, plugin.mutate(request));
    }
    const isChanged = current !== sent && !isJsonEqual(current, sent);
    if (!isChanged) return write.object;
    return conform(withIdentity(current, write.object));
  }

  /** A write as mutating policies and webhooks see it. */
  #mutated(
    write: AdmittedWrite & { readonly object: ApiObject },
  ): ReviewedWrite & { readonly object: ApiObject } {
    const { object } = write;
    const reviewed = this.#reviewed(write);
    if (write.operation === "CREATE") {
      const { name } = reviewed;
      return { ...hiding(reviewed, (shown) => hideSystemFields(shown, name)), object };
    }
    const { sent } = write;
    const isWhole = sent === undefined || this.#otherView !== undefined;
    const shown = isWhole ? reviewed : hiding(reviewed, (each) => hideUnsentFields(each, sent));
    return { ...shown, object };
  }

  /** The object that policies or webhooks have made of another one. */
  #taken(write: AdmittedWrite, before: ApiObject, changed: ApiObject | undefined): ApiObject {
    if (changed === undefined || changed === before) return before;
    // It may have been seen in another version.
    const { apiVersion, kind } = before;
    const typed = apiVersion === undefined ? changed : { ...changed, apiVersion, kind };
    if (write.operation !== "CREATE") return withIdentity(typed, before);
    const { name = before.metadata.name ?? "" } = write;
    return withNewIdentity(typed, withoutRemovedEntries(before, changed), name);
  }

  /**
   * Runs the validating plugins, policies and webhooks on a write.
   *
   * @throws {ApiError} if one refuses the write
   */
  *validate(write: AdmittedWrite): Steps<void> {
    this.#runValidatingPlugins(write);
    const { policies, webhooks } = this.#context;
    if (policies === undefined && webhooks === undefined) return;
    // A generated name is known by now: `AdmissionToValidateObjectFunc` in k8s.io/apiserver.
    const { name } = write;
    const reviewed = this.#reviewed({ ...write, name: name === "" ? undefined : name });
    if (policies !== undefined) yield* policies.validate(reviewed);
    if (webhooks !== undefined) yield* webhooks.validate(reviewed);
  }

  #runValidatingPlugins(write: AdmittedWrite): void {
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
      name: write.name ?? metadata.name ?? info.name,
      namespace: info.namespace,
      operation: write.operation,
      userInfo: user,
      object: copied(object),
      oldObject: copied(write.oldObject && this.#view.show(write.oldObject)),
      dryRun: write.dryRun ?? dryRun,
      options: optionsOf(info),
    };
  }

  #reviewed(write: AdmittedWrite): ReviewedWrite {
    const { dryRun, forms, info, user } = this.#context;
    const { deleteOptions, object, oldObject, operation } = write;
    const { metadata } = object ?? oldObject ?? { metadata: {} };
    // A deletion of a collection names no object.
    const requested = info.verb === "deletecollection" ? "" : (metadata.name ?? info.name);
    const name = write.name ?? requested;
    const isNamespace = info.group === "" && info.resource === "namespaces";
    return {
      operation,
      object,
      oldObject,
      user,
      name,
      namespace: isNamespace ? name : info.namespace,
      subresource: info.subresource,
      form: forms.of(this.#context, this.#otherView),
      equivalents: forms.equivalentsOf(this.#context, this.#otherView),
      dryRun: write.dryRun ?? dryRun,
      options:
        deleteOptions === undefined
          ? reviewedOptionsOf(info, operation)
          : deleteOptionsOf(deleteOptions),
    };
  }
}

/** A write of which webhooks and policies see parts of the new object. */
function hiding(write: ReviewedWrite, hide: (shown: JsonObject) => JsonObject): ReviewedWrite {
  const hidden = (form: ReviewedForm): ReviewedForm => ({
    ...form,
    show: async (object) => {
      const shown = await form.show(object);
      return object === write.oldObject ? shown : hide(shown);
    },
  });
  return { ...write, form: hidden(write.form), equivalents: write.equivalents.map(hidden) };
}

/** Whether a pattern of a match, such as `pods/*`, fits the resource of a request. */
function fitsPattern(pattern: string, { resource, subresource }: RequestInfo): boolean {
  const [plural = "", sub = ""] = pattern.split("/");
  if (plural !== "*" && plural !== resource) return false;
  return sub === "*" || sub === subresource;
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

import {
  metaNamespaceKey,
  type Cached,
  type Key,
  type KubernetesObject,
  type Scope,
} from "@listwatch/core-fifo";
import { metadataOf } from "@listwatch/core-fifo/base";
import type { ApiRequest, Requester } from "../http/request.ts";
import type { Draft } from "../resource/object-forms.ts";
import { apiVersionOf, collectionPath, objectPath } from "../resource/paths.ts";
import type { ResourceReference } from "../resource/resource.ts";

/** Options of a request. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
}

/** How a patch is meant; the names are those of its media types. */
export type PatchType = "merge" | "json" | "strategic" | "apply";

/** Options of a patch. */
export interface PatchOptions extends RequestOptions {
  /** @default "merge" (RFC 7396) */
  readonly type?: PatchType | undefined;
  /** @default the resource itself */
  readonly subresource?: "status" | "scale" | undefined;
  /**
   * Whether an apply takes fields over from other managers.
   *
   * @default false
   */
  readonly force?: boolean | undefined;
}

/** Options of a delete. */
export interface DeleteOptions extends RequestOptions {
  /** Uid that the object must have; otherwise the delete fails with a conflict. */
  readonly uid?: string | undefined;
  /** State that the object must be in; otherwise the delete fails with a conflict. */
  readonly resourceVersion?: string | undefined;
  /** @default the server's, usually Background */
  readonly propagationPolicy?: "Background" | "Foreground" | "Orphan" | undefined;
}

const mediaTypes: Readonly<Record<PatchType, string>> = {
  merge: "application/merge-patch+json",
  json: "application/json-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
};

/**
 * Gets and writes the objects of one resource. A key is `namespace/name`, or `name` for
 * cluster-scoped objects. What a client returns is the caller's own and may be changed; its type is
 * that of the handle, which the server's answer is not checked against.
 *
 * Every call throws a {@link StatusError} if the server refuses, a {@link NetworkError} when it is
 * out of reach, and the reason of its signal if that is aborted.
 */
export class ResourceClient<
  T extends KubernetesObject = KubernetesObject,
  S extends Scope = Scope,
> {
  /** The resource whose objects are read and written. */
  readonly resource: ResourceReference<T, S>;
  readonly #requester: Requester;
  readonly #fieldManager: string | undefined;

  /** Called by {@link Client.resource}. */
  constructor(
    requester: Requester,
    resource: ResourceReference<T, S>,
    fieldManager: string | undefined,
  ) {
    this.#requester = requester;
    this.resource = resource;
    this.#fieldManager = fieldManager;
  }

  /** Reads an object from the server. */
  get(key: Key<S>, { signal }: RequestOptions = {}): Promise<T> {
    return this.#requester.sendForJson({ method: "GET", path: this.#path(key), signal });
  }

  /** Creates an object. Fails with `AlreadyExists` if the name is taken. */
  create(object: Draft<T>, { signal }: RequestOptions = {}): Promise<T> {
    const path = collectionPath(this.resource, metadataOf(object)?.namespace);
    return this.#write({ method: "POST", path, body: this.#withType(object), signal });
  }

  /** Replaces an object. Fails with a conflict if its resourceVersion is not the present one. */
  update(object: T | Cached<T>, { signal }: RequestOptions = {}): Promise<T> {
    const path = this.#path(metaNamespaceKey(object));
    return this.#write({ method: "PUT", path, body: this.#withType(object), signal });
  }

  /** Replaces the status of an object. Fails with a conflict as {@link ResourceClient.update}. */
  updateStatus(object: T | Cached<T>, { signal }: RequestOptions = {}): Promise<T> {
    const path = `${this.#path(metaNamespaceKey(object))}/status`;
    return this.#write({ method: "PUT", path, body: this.#withType(object), signal });
  }

  /** Changes parts of an object. A merge patch with a resourceVersion fails on a conflict. */
  patch(key: Key<S>, patch: unknown, options: PatchOptions = {}): Promise<T> {
    const { type = "merge", subresource, force, signal } = options;
    const suffix = subresource === undefined ? "" : `/${subresource}`;
    return this.#write({
      method: "PATCH",
      path: `${this.#path(key)}${suffix}`,
      query: { force },
      body: patch,
      contentType: mediaTypes[type],
      signal,
    });
  }

  /** Changes parts of the status of an object. */
  patchStatus(key: Key<S>, patch: unknown, options: PatchOptions = {}): Promise<T> {
    return this.patch(key, patch, { ...options, subresource: "status" });
  }

  /** Deletes an object, or marks it as being deleted if it has finalizers. */
  async delete(key: Key<S>, options: DeleteOptions = {}): Promise<void> {
    const { uid, resourceVersion, propagationPolicy, signal } = options;
    const preconditions =
      uid === undefined && resourceVersion === undefined ? undefined : { uid, resourceVersion };
    const body = { kind: "DeleteOptions", apiVersion: "v1", preconditions, propagationPolicy };
    await this.#requester.sendForJson({ method: "DELETE", path: this.#path(key), body, signal });
  }

  #write(request: ApiRequest): Promise<T> {
    const query = { ...request.query, fieldManager: this.#fieldManager };
    return this.#requester.sendForJson({ ...request, query });
  }

  /** Lists name the type of their items once, so an object of a list may lack it. */
  #withType(object: unknown): unknown {
    const { kind } = this.resource;
    const type = {
      apiVersion: apiVersionOf(this.resource),
      ...(kind === undefined ? {} : { kind }),
    };
    return Object.assign(type, object);
  }

  #path(key: string): string {
    return objectPath(this.resource, key);
  }
}

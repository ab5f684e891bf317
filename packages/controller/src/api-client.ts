import { splitMetaNamespaceKey, type KubernetesObject } from "@listwatch/core-fifo";
import { networkErrorFrom, type ResourceReference } from "@listwatch/client";
import type { FetchFunction, HeadersSource } from "@listwatch/reflector";
import { refusal } from "./internal/refusal.ts";

/** Options of {@link ApiClient}: the same connection as that of `httpListerWatcher`. */
export interface ApiClientOptions {
  /** Base address of the API server, such as `https://10.0.0.1:6443`; a path is kept. */
  readonly server: string;
  /** @default the global fetch */
  readonly fetch?: FetchFunction | undefined;
  readonly headers?: HeadersSource | undefined;
  /**
   * Who the server records as the writer of fields.
   *
   * @default none: the server takes the User-Agent
   */
  readonly fieldManager?: string | undefined;
}

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
  /** Of an apply: take fields over from other managers. @default false */
  readonly force?: boolean | undefined;
}

/** Options of a delete. */
export interface DeleteOptions extends RequestOptions {
  /** Fails with a conflict unless the object is this one. */
  readonly uid?: string | undefined;
  /** Fails with a conflict unless the object is in this state. */
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

interface Call {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly signal: AbortSignal | undefined;
}

/**
 * The writes of a controller, over `fetch`. It keeps nothing between requests and retries none,
 * except once after a 401 when `headers` is a function. Read from a lister where you can.
 *
 * ```ts
 * import { ApiClient } from "@listwatch/controller";
 *
 * const client = new ApiClient({ server: "https://kubernetes.default.svc" });
 * const pods = client.resource({ group: "", version: "v1", resource: "pods" });
 * if (typeof pods.get !== "function") throw new Error("unreachable");
 * ```
 */
export class ApiClient {
  readonly #options: ApiClientOptions;

  constructor(options: ApiClientOptions) {
    this.#options = options;
  }

  /** A collection of objects, by namespace and name. */
  resource<T extends KubernetesObject = KubernetesObject>(
    reference: ResourceReference,
  ): ResourceClient<T> {
    const send = async (call: Call): Promise<T> => {
      const response = await this.#call(call);
      try {
        // The server's word for what it is; nobody could check it here.
        const answer: T = await response.json();
        return answer;
      } catch (error) {
        call.signal?.throwIfAborted();
        throw networkErrorFrom(error, attemptOf(call));
      }
    };
    return new ResourceClient<T>(send, reference, this.#options.fieldManager);
  }

  async #call(call: Call): Promise<Response> {
    let response = await this.#send(call, false);
    if (response.status === 401 && typeof this.#options.headers === "function") {
      await response.body?.cancel();
      response = await this.#send(call, true);
    }
    if (!response.ok) throw await refusal(response, attemptOf(call));
    return response;
  }

  async #send(call: Call, refresh: boolean): Promise<Response> {
    const { method, body, contentType = "application/json", signal } = call;
    const source = this.#options.headers;
    const headers = new Headers(typeof source === "function" ? await source({ refresh }) : source);
    if (!headers.has("accept")) headers.set("accept", "application/json");
    if (body !== undefined) headers.set("content-type", contentType);
    const request = new Request(this.#url(call), {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    signal?.throwIfAborted();
    try {
      return await (this.#options.fetch ?? fetch)(request);
    } catch (error) {
      signal?.throwIfAborted();
      throw networkErrorFrom(error, attemptOf(call));
    }
  }

  #url({ path, query = {} }: Call): string {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) parameters.set(name, value);
    }
    const text = parameters.size === 0 ? "" : `?${parameters.toString()}`;
    return `${this.#options.server.replace(/\/+$/, "")}${path}${text}`;
  }
}

/**
 * Gets and writes the objects of one resource. A key is `namespace/name`, or `name` for
 * cluster-scoped objects. Answers are the server's JSON; their type is the caller's word for it.
 */
export class ResourceClient<T extends KubernetesObject = KubernetesObject> {
  /** Which resource. */
  readonly reference: ResourceReference;
  readonly #call: (call: Call) => Promise<T>;
  readonly #fieldManager: string | undefined;

  /** Made by {@link ApiClient.resource}. */
  constructor(
    call: (call: Call) => Promise<T>,
    reference: ResourceReference,
    fieldManager: string | undefined,
  ) {
    this.#call = call;
    this.reference = reference;
    this.#fieldManager = fieldManager;
  }

  /**
   * Reads an object from the server.
   *
   * @throws {StatusError} if the server refuses
   * @throws {NetworkError} if it cannot be asked
   */
  get(key: string, { signal }: RequestOptions = {}): Promise<T> {
    return this.#call({ method: "GET", path: this.#path(key), signal });
  }

  /** @throws {StatusError} if the server refuses, with `AlreadyExists` if the name is taken */
  create(object: T, { signal }: RequestOptions = {}): Promise<T> {
    const path = this.#collection(object.metadata?.namespace ?? "");
    return this.#write({ method: "POST", path, body: this.#typed(object), signal });
  }

  /**
   * Replaces an object. @throws {StatusError} with `Conflict` if its resourceVersion is not the
   * present one
   */
  update(object: T, { signal }: RequestOptions = {}): Promise<T> {
    const path = this.#path(keyOf(object));
    return this.#write({ method: "PUT", path, body: this.#typed(object), signal });
  }

  /**
   * Replaces the status of an object. @throws {StatusError} with `Conflict` as
   * {@link ResourceClient.update}
   */
  updateStatus(object: T, { signal }: RequestOptions = {}): Promise<T> {
    const path = `${this.#path(keyOf(object))}/status`;
    return this.#write({ method: "PUT", path, body: this.#typed(object), signal });
  }

  /** Changes parts of an object. With a resourceVersion in a merge patch it fails on a conflict. */
  patch(key: string, patch: unknown, options: PatchOptions = {}): Promise<T> {
    const { type = "merge", subresource, force, signal } = options;
    return this.#write({
      method: "PATCH",
      path: this.#path(key) + (subresource === undefined ? "" : `/${subresource}`),
      query: force === undefined ? {} : { force: String(force) },
      body: patch,
      contentType: mediaTypes[type],
      signal,
    });
  }

  /** Changes parts of the status of an object. */
  patchStatus(key: string, patch: unknown, options: PatchOptions = {}): Promise<T> {
    return this.patch(key, patch, { ...options, subresource: "status" });
  }

  /** Deletes an object, or marks it as being deleted if it has finalizers. */
  async delete(key: string, options: DeleteOptions = {}): Promise<void> {
    const { uid, resourceVersion, propagationPolicy, signal } = options;
    const preconditions =
      uid === undefined && resourceVersion === undefined ? undefined : { uid, resourceVersion };
    const body = { kind: "DeleteOptions", apiVersion: "v1", preconditions, propagationPolicy };
    await this.#call({ method: "DELETE", path: this.#path(key), body, signal });
  }

  #write(call: Call): Promise<T> {
    return this.#call({ ...call, query: { ...call.query, fieldManager: this.#fieldManager } });
  }

  #typed(object: T): unknown {
    const { group, version } = this.reference;
    return { apiVersion: group === "" ? version : `${group}/${version}`, ...object };
  }

  #collection(namespace: string): string {
    const { group, version, resource } = this.reference;
    const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
    const scope = namespace === "" ? "" : `/namespaces/${encodeURIComponent(namespace)}`;
    return `${root}${scope}/${resource}`;
  }

  #path(key: string): string {
    const { namespace, name } = splitMetaNamespaceKey(key);
    return `${this.#collection(namespace)}/${encodeURIComponent(name)}`;
  }
}

function keyOf({ metadata }: KubernetesObject): string {
  const { namespace = "", name = "" } = metadata ?? {};
  return namespace === "" ? name : `${namespace}/${name}`;
}

function attemptOf({ method, path }: Call): string {
  return `Couldn't ${method} ${path}`;
}

import type { Cached, Key, KubernetesObject, ObjectName, Scope } from "@listwatch/core-fifo";
import {
  createInvalidOptionError,
  type Clock,
  type Complete,
  checkOptions,
} from "@listwatch/core-fifo/base";
import type { UnaryRequest } from "../http/request.ts";
import type { WatchEvent } from "../resource/list-watch.ts";
import type { Draft, NamedConfiguration, Replacement, Written } from "../resource/object-forms.ts";
import { collectionPath, objectPath } from "../resource/paths.ts";
import type { PatchOf } from "../resource/patches.ts";
import type { ResourceReference } from "../resource/resource.ts";
import type { Status } from "../errors/status.ts";
import { evictWhenAllowed } from "./evict.ts";
import {
  ListReader,
  readItemsTable,
  readListTable,
  watchTable,
  type ObjectList,
  type ReadItemsOptions,
  type ReadListOptions,
  type WatchObjectsOptions,
} from "./list-reader.ts";
import { NamespaceScope } from "./namespace-scope.ts";
import { ObjectWriter, type ResourceClientContext } from "./object-writer.ts";
import { logTable, openLog, type LogOptions, type LogStream } from "./pod-log.ts";
import {
  applyTable,
  attemptsOf,
  deleteCollectionTable,
  deleteTable,
  patchTable,
  requestTable,
  updateTable,
  writeTable,
  deleteBody,
  type ApplyOptions,
  type DeleteCollectionOptions,
  type DeleteOptions,
  type PatchOptions,
  type PatchType,
  type RequestOptions,
  type UpdateOptions,
  type WriteOptions,
} from "./request-options.ts";
import {
  tokenTable,
  readToken,
  tokenRequest,
  type IssuedToken,
  type TokenOptions,
} from "./service-account-token.ts";
import { SubresourceClient, type SubresourceRequests } from "./subresource-client.ts";

/** Names of the subresources with a type; any name for a resource without such types. */
export type SubresourceName<Sub> = unknown extends Sub ? string : keyof Sub & string;

/** Type of a subresource, if the handle of the resource has it. */
export type SubresourceOf<Sub, Name> = Name extends keyof Sub ? Sub[Name] : KubernetesObject;

/**
 * Reads and writes the objects of one resource. A key is `namespace/name`, or `name` for
 * cluster-scoped objects and for a client that is narrowed to a namespace, see
 * {@link ResourceClient.in}. The caller owns returned objects and may change them. Their type is
 * that of the handle; responses are not checked against it.
 *
 * Calls reject with a {@link StatusError} if the server refuses, with a {@link NetworkError} if it
 * cannot be reached or is late, and with the reason of their signal if that is aborted. A key or
 * object whose name or namespace cannot be part of a path is refused with an
 * {@link InvalidNameError} before anything is sent. So are objects without a name, except reviews,
 * such as a SelfSubjectAccessReview, which have none.
 */
export class ResourceClient<
  T extends KubernetesObject = KubernetesObject,
  S extends Scope = Scope,
  Sub = unknown,
  K extends string = Key<S>,
> {
  /** Resource of the objects. */
  readonly resource: ResourceReference<T, S, Sub>;
  /** Clock of the client. Code that waits between its requests uses it too. */
  readonly clock: Clock;
  readonly #context: ResourceClientContext;
  readonly #scope: NamespaceScope;
  readonly #lists: ListReader<T>;
  readonly #writer: ObjectWriter<T, K>;

  /** Called by {@link Client.resource} and {@link ResourceClient.in}. */
  constructor(
    context: ResourceClientContext,
    resource: ResourceReference<T, S, Sub>,
    namespace?: string,
  ) {
    this.#context = context;
    this.resource = resource;
    this.clock = context.clock;
    this.#scope = new NamespaceScope(resource, namespace);
    this.#lists = new ListReader(context, resource, this.#scope);
    this.#writer = new ObjectWriter(context, resource, this.#scope);
  }

  /**
   * Returns the same client, narrowed to one namespace. Keys are names; lists, watches and
   * `deleteCollection` are limited to the namespace; objects without a namespace are created in it.
   * Objects and selections of other namespaces are refused.
   *
   * @throws {InvalidOptionsError} if the namespace is empty, or the resource is cluster-scoped
   */
  in(namespace: [S] extends ["Cluster"] ? never : string): ResourceClient<T, S, Sub, string> {
    return new ResourceClient(this.#context, this.resource, namespace);
  }

  /**
   * Returns the name and namespace of a key.
   *
   * @throws {InvalidNameError} if it is not a string
   * @throws {ListwatchError} with the code `LW_KEY_FORMAT` if it has more than one slash, and the
   *   client is not narrowed
   */
  objectName(key: K): ObjectName {
    return this.#scope.nameOf(key);
  }

  /** Reads an object from the server. */
  async get(key: K, options: RequestOptions = {}): Promise<T> {
    checkOptions(options, requestTable);
    return this.#send({ method: "GET", path: this.#path(key), ...attemptsOf(options) });
  }

  /**
   * Reads a complete list, in pages. After a failure of the network or the server it is read again.
   * It ends when no object arrives within `timeoutMs`, and at
   * {@link ReadListOptions.totalTimeoutMs}.
   */
  async list(options: ReadListOptions = {}): Promise<ObjectList<T>> {
    checkOptions(options, readListTable);
    return this.#lists.list(options);
  }

  /**
   * Yields the objects of a list as they arrive, so that only one page is in memory. A page is
   * requested again until it starts; one that breaks off rejects. A list that expires in the middle
   * restarts if there is {@link ReadItemsOptions.onRestart}, otherwise it rejects.
   */
  items(options: ReadItemsOptions = {}): AsyncIterable<T> {
    checkOptions(options, readItemsTable);
    return this.#lists.items(options);
  }

  /**
   * Yields the events of one watch, bookmarks included, until the server ends it. A watch is
   * requested again until it starts, and not repeated after that: to follow a collection, use a
   * reflector or an informer.
   */
  watch(options: WatchObjectsOptions = {}): AsyncIterable<WatchEvent<T>> {
    checkOptions(options, watchTable);
    return this.#lists.watch(options);
  }

  /** Creates an object. Fails with `AlreadyExists` if the name exists. */
  async create(object: Written<T, Draft<T> & Complete>, options: WriteOptions = {}): Promise<T> {
    checkOptions(options, writeTable);
    return this.#writer.create(object, options);
  }

  /**
   * Replaces an object. Fails with a conflict if its resourceVersion is not the current one.
   *
   * @throws {DroppedFieldsError} if the object, or the one that it is a copy of, was not read with
   *   all fields that the server has sent
   */
  async update(
    object: Written<T, (T | Cached<T> | Replacement<T>) & Complete>,
    options: UpdateOptions = {},
  ): Promise<T> {
    checkOptions(options, updateTable);
    return this.#writer.update(object, options);
  }

  /** Replaces the status of an object. Fails like {@link ResourceClient.update}. */
  async updateStatus(
    object: (T | Cached<T> | Replacement<T>) & Complete,
    options: UpdateOptions = {},
  ): Promise<T> {
    checkOptions(options, updateTable);
    return this.#writer.update(object, options, "status");
  }

  /**
   * Changes parts of an object. The form of the patch depends on its type, see {@link PatchOf}. A
   * merge patch with a resourceVersion fails on a conflict.
   */
  async patch<Type extends PatchType = "merge">(
    key: K,
    patch: PatchOf<T, Type>,
    options: PatchOptions<Type> = {},
  ): Promise<T> {
    checkOptions(options, patchTable);
    return this.#writer.patch(key, patch, options);
  }

  /** Changes parts of the status of an object, like {@link ResourceClient.patch}. */
  async patchStatus<Type extends PatchType = "merge">(
    key: K,
    patch: PatchOf<T, Type>,
    options: PatchOptions<Type> = {},
  ): Promise<T> {
    checkOptions(options, patchTable);
    return this.#writer.patch(key, patch, { ...options, subresource: "status" });
  }

  /**
   * Sets fields of an object by server-side apply, and owns them after that. Creates the object if
   * it does not exist, and removes fields that an earlier apply had and this one lacks.
   * `managedFields` of the object are not sent.
   *
   * @throws {InvalidOptionsError} if neither client nor options have a field manager
   * @throws {StatusError} with `Conflict` if another manager owns a field with another value, see
   *   {@link ApplyOptions.force}
   */
  async apply(
    object: Written<T, NamedConfiguration<T, K>>,
    options: ApplyOptions = {},
  ): Promise<T> {
    checkOptions(options, applyTable);
    return this.#writer.apply(object, options);
  }

  /**
   * Deletes an object, or marks it as being deleted if it has finalizers.
   *
   * @returns the object as it was, or as it is while it waits for finalizers; for most resources a
   *   Status once the object is gone
   */
  async delete(key: K, options: DeleteOptions = {}): Promise<T | Status> {
    checkOptions(options, deleteTable);
    return this.#writer.delete(key, options);
  }

  /**
   * Deletes the objects that match a selector, or all objects of a namespace or the cluster.
   *
   * @throws {InvalidOptionsError} without a selector and `all`, or with a `shardSelector`
   */
  async deleteCollection(options: DeleteCollectionOptions): Promise<void> {
    // Among the options that it refuses is a `shardSelector`: a server that does not know it would
    // delete all objects.
    checkOptions(options, deleteCollectionTable);
    const { namespace, labelSelector = "", fieldSelector = "", all = false } = options;
    // A blank label selector selects all objects, and so does a field selector of commas.
    const isSelection = labelSelector.trim() !== "" || /[^\s,]/.test(fieldSelector);
    if (!isSelection && !all) {
      const expected = "true, or a labelSelector or a fieldSelector";
      throw createInvalidOptionError("all", expected, options.all);
    }
    const path = collectionPath(this.resource, this.#scope.narrow(namespace));
    const body = deleteBody({ ...options, dryRun: options.dryRun ?? this.#context.writes.dryRun });
    const query = { labelSelector, fieldSelector };
    await this.#send({ method: "DELETE", path, query, body, ...attemptsOf(options) });
  }

  /**
   * Returns a client of one subresource, such as `scale`. The handle of the resource determines its
   * type.
   *
   * @param name name of the subresource, as in the path
   */
  subresource<const Name extends SubresourceName<Sub>>(
    name: Name,
  ): SubresourceClient<SubresourceOf<Sub, Name>, K> {
    const requests: SubresourceRequests<SubresourceOf<Sub, Name>, K> = {
      read: (key, of, options) =>
        this.#send({ method: "GET", path: this.#path(key, of), ...options }),
      write: (method, key, of, body, options) =>
        this.#writer.writeSubresource(method, key, of, body, options),
      patch: (key, patch, options) => this.#writer.patch(key, patch, options),
    };
    return new SubresourceClient(requests, name);
  }

  /**
   * Sets the number of replicas of a workload.
   *
   * @param replicas desired number of pods, 0 or more
   */
  async scale(key: K, replicas: number, options: WriteOptions = {}): Promise<void> {
    checkOptions(options, writeTable);
    await this.#writer.patch(key, { spec: { replicas } }, { ...options, subresource: "scale" });
  }

  /**
   * Evicts a pod, as far as its disruption budget allows. While the budget refuses, the request is
   * repeated every 5 s, or after the delay that the server requests, until the time limit.
   *
   * @throws {StatusError} with `TooManyRequests` if the budget refused until the limit
   */
  async evict(key: K, options: DeleteOptions = {}): Promise<void> {
    checkOptions(options, deleteTable);
    const path = this.#path(key, "eviction");
    const { name, namespace } = this.objectName(key);
    const body = {
      apiVersion: "policy/v1",
      kind: "Eviction",
      metadata: { name, namespace },
      deleteOptions: deleteBody({
        ...options,
        dryRun: options.dryRun ?? this.#context.writes.dryRun,
      }),
    };
    const { requester, clock, timeoutMs } = this.#context;
    const request = { method: "POST" as const, path, body, ...attemptsOf(options) };
    await evictWhenAllowed(
      requester,
      { ...request, timeoutMs: options.timeoutMs ?? timeoutMs },
      clock,
    );
  }

  /**
   * Binds a pod to a node, like a scheduler.
   *
   * @param node name of the node
   */
  async bind(key: K, node: string, options: WriteOptions = {}): Promise<void> {
    checkOptions(options, writeTable);
    const { name, namespace } = this.objectName(key);
    const target = { apiVersion: "v1", kind: "Node", name: node };
    const body = { apiVersion: "v1", kind: "Binding", metadata: { name, namespace }, target };
    await this.#writer.writeSubresource("POST", key, "binding", body, options);
  }

  /**
   * Creates a token of a service account (TokenRequest), which the server does not store. The token
   * is a credential: keep it out of logs.
   */
  async token(key: K, options: TokenOptions = {}): Promise<IssuedToken> {
    checkOptions(options, tokenTable, ["boundObjectRef.kind", "boundObjectRef.name"]);
    const body = tokenRequest(options);
    return readToken(await this.#writer.writeSubresource("POST", key, "token", body, options));
  }

  /** Opens the log of a container. The request is repeated until the log starts. */
  async log(key: K, options: LogOptions = {}): Promise<LogStream> {
    checkOptions(options, logTable);
    return openLog(this.#context, this.#path(key, "log"), options);
  }

  #send<R>(request: UnaryRequest): Promise<R> {
    return this.#context.requester.sendForJson(request);
  }

  #path(key: unknown, subresource?: string): string {
    return objectPath(this.resource, this.#scope.nameOf(key), subresource);
  }
}

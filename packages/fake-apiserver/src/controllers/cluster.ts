import type { Clock, Random } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { storageName } from "../api/registry.ts";
import { timestamp } from "../base/server-clock.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { Result } from "../output/result.ts";
import type { ServerCore } from "../verbs/server-core.ts";

/** A client of the server: who writes, and under which manager. */
export interface ClusterUser {
  readonly username: string;
  /** Manager in `metadata.managedFields`. */
  readonly manager: string;
}

/** A write of a controller. */
export interface WriteRequest {
  readonly method: string;
  /** Name of a storage, such as `deployments.apps`. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
  readonly object: ApiObject;
}

/** Runs a write as if a client had sent it. */
export type SendWrite = (
  core: ServerCore,
  user: ClusterUser,
  write: WriteRequest,
) => Promise<Response | Result>;

/** The objects of a server, as its controllers read and write them. */
export class Cluster {
  readonly clock: Clock;
  readonly random: Random;
  readonly #core: ServerCore;
  readonly #send: SendWrite;

  constructor(core: ServerCore, random: Random, send: SendWrite) {
    this.#core = core;
    this.#send = send;
    this.clock = core.clock;
    this.random = random;
  }

  /** The current time as in `metadata.creationTimestamp`. */
  time(): string {
    return timestamp(this.clock.now());
  }

  /** Whether objects are being loaded, which controllers must leave alone until then. */
  get isLoading(): boolean {
    return this.#core.storage.isLoading;
  }

  /** @param resource the name of a storage, such as `deployments.apps` */
  get(resource: string, key: string): StoredObject | undefined {
    return this.#core.storage.store(resource).get(key);
  }

  /** Whether a resource with this storage is served: the definition of a custom one exists. */
  serves(resource: string): boolean {
    return this.#core.registry.definitions().some((one) => storageName(one) === resource);
  }

  /** Returns the objects of a resource, in key order. */
  list(resource: string, namespace?: string): readonly StoredObject[] {
    const store = this.#core.storage.store(resource);
    return namespace === undefined ? store.objects() : store.objectsWithin(`${namespace}/`);
  }

  /** Returns the writer of a controller, such as `deployment-controller`. */
  controller(name: string): ClusterWriter {
    const username = `system:serviceaccount:kube-system:${name}`;
    return this.writer({ username, manager: "kube-controller-manager" });
  }

  writer(user: ClusterUser): ClusterWriter {
    return new ClusterWriter((write) => this.#send(this.#core, user, write));
  }
}

/** Writes with the identity of one component, through the verbs of the server. */
export class ClusterWriter {
  readonly #send: (write: WriteRequest) => Promise<Response | Result>;

  constructor(send: (write: WriteRequest) => Promise<Response | Result>) {
    this.#send = send;
  }

  /** @throws {ApiError} for an object that is refused */
  create(resource: string, object: ApiObject): Promise<ApiObject> {
    const { namespace = "" } = object.metadata;
    return this.#write({ method: "POST", resource, namespace, name: "", subresource: "", object });
  }

  /** @throws {ApiError} for an update that is refused, 409 if the object has changed meanwhile */
  update(resource: string, object: ApiObject): Promise<ApiObject> {
    return this.#update(resource, object, "");
  }

  /** @throws {ApiError} as of {@link ClusterWriter.update} */
  updateStatus(resource: string, object: ApiObject): Promise<ApiObject> {
    return this.#update(resource, object, "status");
  }

  /** Deletes an object unless another one has its name by now. An object that is gone is fine. */
  async remove(resource: string, { metadata }: ApiObject): Promise<void> {
    const { name = "", namespace = "", uid } = metadata;
    const object = {
      kind: "DeleteOptions",
      apiVersion: "v1",
      metadata: {},
      preconditions: { uid },
      propagationPolicy: "Background",
    };
    const request = { method: "DELETE", resource, namespace, name, subresource: "", object };
    await this.#send(request).catch((error: unknown) => {
      if (!isGone(error)) throw error;
    });
  }

  /** Assigns a pod to a node. @throws {ApiError} 409 if it has one */
  async bind({ metadata }: ApiObject, node: string): Promise<void> {
    const { name = "", namespace = "", uid } = metadata;
    const object = {
      metadata: { name, namespace, uid },
      target: { kind: "Node", name: node },
    };
    const request = {
      method: "POST",
      resource: "pods",
      namespace,
      name,
      subresource: "binding",
      object,
    };
    await this.#send(request);
  }

  #update(resource: string, object: ApiObject, subresource: string): Promise<ApiObject> {
    const { name = "", namespace = "" } = object.metadata;
    return this.#write({ method: "PUT", resource, namespace, name, subresource, object });
  }

  async #write(request: WriteRequest): Promise<ApiObject> {
    const result = await this.#send(request);
    if (result instanceof Response || result.type !== "object") {
      throw new TypeError("Expected an object");
    }
    return result.stored.object;
  }
}

// 404, or a 409 because another object has the name.
function isGone(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return error.code === 404 || error.code === 409;
}

import type { KubernetesObject } from "@listwatch/core-fifo";
import { createInvalidOptionError, metadataOf, recordOf } from "@listwatch/core-fifo/base";
import { DroppedFieldsError } from "../errors/errors.ts";
import type { Status } from "../errors/status.ts";
import type { UnaryRequest } from "../http/request.ts";
import { describeIncomplete } from "../json/dropped-fields.ts";
import { apiVersionOf, creationPath, objectPath } from "../resource/paths.ts";
import type { ResourceReference } from "../resource/resource.ts";
import type { CompletedWrite, WriteObserver } from "./completed-write.ts";
import type { ListReaderContext } from "./list-reader.ts";
import type { NamespaceScope } from "./namespace-scope.ts";
import {
  attemptsOf,
  deleteBody,
  writeQuery,
  type ApplyOptions,
  type DeleteOptions,
  type PatchType,
  type UpdateOptions,
  type WriteOptions,
} from "./request-options.ts";
import type { SubresourcePatchOptions } from "./subresource-client.ts";

const mediaTypes: Readonly<Record<PatchType, string>> = {
  merge: "application/merge-patch+json",
  json: "application/json-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
};

/** Services of the client for a {@link ResourceClient}. */
export interface ResourceClientContext extends ListReaderContext {
  /** Defaults of write options. */
  readonly writes: Required<Pick<WriteOptions, "dryRun" | "fieldValidation">> &
    Pick<WriteOptions, "fieldManager">;
  /** Called with each write that was stored, except deletions of collections and evictions. */
  readonly onWrite?: WriteObserver | undefined;
}

/** Description of a write for the observer. */
type Observed = Omit<CompletedWrite, "answer" | "ended" | "resource">;

/** Number of requests and answers of writes so far. */
let turns = 0;

/** Sends the writes of a {@link ResourceClient}, and reports those that were stored to its client. */
export class ObjectWriter<T extends KubernetesObject, K extends string> {
  readonly #context: ResourceClientContext;
  readonly #resource: ResourceReference;
  readonly #scope: NamespaceScope;

  constructor(context: ResourceClientContext, resource: ResourceReference, scope: NamespaceScope) {
    this.#context = context;
    this.#resource = resource;
    this.#scope = scope;
  }

  create(object: object, options: WriteOptions): Promise<T> {
    const namespace = this.#scope.namespaceOfDraft(object);
    const path = creationPath(this.#resource, namespace);
    return this.#write({ method: "POST", path, body: this.#withType(object) }, options, {
      verb: "create",
      object: { namespace, name: metadataOf(object)?.name ?? "" },
      precondition: "",
    });
  }

  update(object: object, options: UpdateOptions, subresource?: string): Promise<T> {
    const name = this.#scope.nameOfObject(object);
    const path = objectPath(this.#resource, name, subresource);
    return this.#write({ method: "PUT", path, body: this.#withType(object) }, options, {
      verb: "update",
      object: name,
      subresource,
      precondition: versionIn(object),
    });
  }

  patch<R>(key: K, patch: unknown, options: SubresourcePatchOptions): Promise<R> {
    const { type = "merge", subresource, force } = options;
    const name = this.#scope.nameOf(key);
    const path = objectPath(this.#resource, name, subresource);
    const contentType = mediaTypes[type];
    const request = { method: "PATCH" as const, path, query: { force }, body: patch, contentType };
    return this.#write(request, options, {
      verb: "patch",
      object: name,
      subresource,
      precondition: versionIn(patch),
    });
  }

  /** @throws {InvalidOptionsError} if neither client nor options have a field manager */
  apply(object: object, options: ApplyOptions): Promise<T> {
    const fieldManager = options.fieldManager ?? this.#context.writes.fieldManager;
    if (fieldManager === undefined || fieldManager === "") {
      const expected = "the name of who applies, of the client or of this call";
      throw createInvalidOptionError("fieldManager", expected, fieldManager);
    }
    const name = this.#scope.nameOfObject(object);
    const { force = false, subresource } = options;
    const path = objectPath(this.#resource, name, subresource);
    const body = withoutManagedFields(this.#withType(object));
    const request = { method: "PATCH" as const, path, query: { force }, body };
    return this.#write({ ...request, contentType: mediaTypes.apply }, options, {
      verb: "patch",
      object: name,
      subresource,
      precondition: versionIn(body),
    });
  }

  /** Creates or replaces a subresource. */
  writeSubresource<R>(
    method: "POST" | "PUT",
    key: K,
    subresource: string,
    body: unknown,
    options: UpdateOptions,
  ): Promise<R> {
    const object = this.#scope.nameOf(key);
    const path = objectPath(this.#resource, object, subresource);
    const isUpdate = method === "PUT";
    return this.#write({ method, path, body }, options, {
      verb: isUpdate ? "update" : "create",
      object,
      subresource,
      precondition: isUpdate ? versionIn(body) : undefined,
    });
  }

  async delete(key: K, options: DeleteOptions): Promise<T | Status> {
    const object = this.#scope.nameOf(key);
    const dryRun = options.dryRun ?? this.#context.writes.dryRun;
    const body = deleteBody({ ...options, dryRun });
    const path = objectPath(this.#resource, object);
    const request = { method: "DELETE" as const, path, body, ...attemptsOf(options) };
    const began = ++turns;
    const answer = await this.#context.requester.sendForJson<T | Status>(request);
    if (!dryRun) {
      const { resourceVersion: precondition, uid } = options;
      this.#observe({ verb: "delete", object, precondition, uid, began }, answer);
    }
    return answer;
  }

  async #write<R>(request: UnaryRequest, options: UpdateOptions, observed: Observed): Promise<R> {
    if (request.method === "PUT") this.#checkFields(recordOf(request.body), options);
    const { fieldManager, fieldValidation, ...defaults } = this.#context.writes;
    const dryRun = options.dryRun ?? defaults.dryRun;
    const query = {
      ...request.query,
      ...writeQuery({
        dryRun,
        fieldManager: options.fieldManager ?? fieldManager,
        fieldValidation: options.fieldValidation ?? fieldValidation,
      }),
    };
    const sent = { ...request, query, ...attemptsOf(options) };
    const began = ++turns;
    const answer = await this.#context.requester.sendForJson<R>(sent);
    if (!dryRun) this.#observe({ ...observed, began }, answer);
    return answer;
  }

  #observe(observed: Observed, answer: unknown): void {
    this.#context.onWrite?.({ ...observed, ended: ++turns, resource: this.#resource, answer });
  }

  #checkFields(object: object, { allowDroppedFields = false }: UpdateOptions): void {
    const incomplete = allowDroppedFields ? undefined : describeIncomplete(object);
    if (incomplete === undefined) return;
    const { name, namespace } = this.#scope.nameOfObject(object);
    const key = namespace === undefined ? name : `${namespace}/${name}`;
    throw new DroppedFieldsError(key, incomplete);
  }

  /** Lists contain the type of their items once, so an object of a list may lack it. */
  #withType(object: object): object {
    // The order of members is kept, which marks projected objects.
    if ("kind" in object && "apiVersion" in object) return object;
    const { kind } = this.#resource;
    const type = {
      apiVersion: apiVersionOf(this.#resource),
      ...(kind === undefined ? {} : { kind }),
    };
    return { ...type, ...object };
  }
}

/** Returns an object without the record of field owners, which an apply must not contain. */
function withoutManagedFields(object: object): object {
  const { managedFields: _, ...metadata } = { managedFields: undefined, ...metadataOf(object) };
  return { ...object, metadata };
}

/** Returns the resourceVersion that a body requires; a JSON Patch has none. */
function versionIn(body: unknown): string | undefined {
  const version = metadataOf(body)?.resourceVersion;
  return typeof version === "string" && version !== "" ? version : undefined;
}

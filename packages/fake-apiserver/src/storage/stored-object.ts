import { isRecord } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";

/** The object of a key at one revision. Immutable; shared by the store, its history and all watches. */
export class StoredObject {
  /** `namespace/name`, or the name for cluster-scoped objects. Lists are in its byte order. */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  /** Same as the object's resourceVersion. */
  readonly revision: number;
  readonly labels: Readonly<Record<string, string>> | undefined;
  /** Whether the object is being deleted. */
  readonly isTerminating: boolean;
  /**
   * The object as JSON without its opening brace, `apiVersion` and `kind`:
   * `"metadata":{…},"spec":{…}}`. These depend on the requested version and form and are written in
   * front, so that a list needs no parsing.
   */
  readonly tail: string;
  // Only recently used objects stay parsed: parsing again costs less than keeping 50,000 of them.
  #object: ApiObject | undefined;
  // Kept once a shard has asked for it: most objects are never asked.
  #uid: string | undefined;
  readonly #recent: RecentObjects;

  constructor(object: ApiObject, revision: number, recent: RecentObjects) {
    const { apiVersion: _apiVersion, kind: _kind, ...rest } = object;
    const { deletionTimestamp, labels, name = "", namespace = "" } = object.metadata;
    this.namespace = namespace;
    this.name = name;
    this.key = storageKey(this.namespace, this.name);
    this.revision = revision;
    this.labels = labels;
    this.isTerminating = deletionTimestamp !== undefined;
    this.tail = objectTail(rest);
    this.#recent = recent;
    this.#object = rest;
    recent.use(this);
  }

  /** The object without `apiVersion` and `kind`. Must not be modified. */
  get object(): ApiObject {
    if (this.#object === undefined) {
      const parsed: unknown = JSON.parse(`{${this.tail}`);
      this.#object = isApiObject(parsed) ? parsed : { metadata: {} };
      this.#recent.use(this);
    }
    return this.#object;
  }

  get uid(): string {
    this.#uid ??= this.object.metadata.uid ?? "";
    return this.#uid;
  }

  /** Drops the parsed object; the JSON stays. */
  forget(): void {
    this.#object = undefined;
  }
}

/** Keeps the most recently created or read objects parsed. */
export class RecentObjects {
  readonly #ring: (StoredObject | undefined)[];
  #next = 0;

  /** @param capacity maximum number of parsed objects */
  constructor(capacity: number) {
    this.#ring = Array.from({ length: capacity });
  }

  use(version: StoredObject): void {
    this.#ring[this.#next]?.forget();
    this.#ring[this.#next] = version;
    this.#next = (this.#next + 1) % this.#ring.length;
  }
}

/** Encodes an object without `apiVersion` and `kind` as JSON without its opening brace. */
export function objectTail(object: ApiObject): string {
  return JSON.stringify(object).slice(1);
}

/** Address of an object within its resource; `namespace` is "" for cluster-scoped objects. */
export interface ObjectAddress {
  readonly namespace: string;
  readonly name: string;
}

/** Returns the key of an object within its resource. */
export function storageKey(namespace: string, name: string): string {
  return namespace === "" ? name : `${namespace}/${name}`;
}

function isApiObject(value: unknown): value is ApiObject {
  return isRecord(value) && isRecord(value["metadata"]);
}

import { isRecord } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/resource-definition.ts";

/**
 * The object a key held at one revision. Immutable; shared by the store, its history and every open
 * watch.
 */
export class StoredObject {
  /** `namespace/name`, or the name alone for cluster-scoped objects. Lists are in byte order of it. */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  /** The object's resourceVersion. */
  readonly revision: number;
  readonly labels: Readonly<Record<string, string>> | undefined;
  /** Whether the object is being deleted. */
  readonly isTerminating: boolean;
  /**
   * The object as JSON text, without its opening brace, `apiVersion` and `kind`:
   * `"metadata":{…},"spec":{…}}`. These two depend on the version and form a reader asked for, and
   * are written in front of it: a list costs no parsing.
   */
  readonly tail: string;
  // Parsing again costs less than keeping 50,000 parsed objects: only the most recently used ones
  // hold theirs.
  #object: ApiObject | undefined;
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

  /** The object without `apiVersion` and `kind`. Not to be modified. */
  get object(): ApiObject {
    if (this.#object === undefined) {
      const parsed: unknown = JSON.parse(`{${this.tail}`);
      this.#object = isApiObject(parsed) ? parsed : { metadata: {} };
      this.#recent.use(this);
    }
    return this.#object;
  }

  /** Drops the parsed object; the text stays. */
  forget(): void {
    this.#object = undefined;
  }
}

/** The versions that keep their parsed object: the last ones that were made or read. */
export class RecentObjects {
  readonly #ring: (StoredObject | undefined)[];
  #next = 0;

  /** @param capacity how many objects stay parsed */
  constructor(capacity: number) {
    this.#ring = Array.from({ length: capacity });
  }

  use(version: StoredObject): void {
    this.#ring[this.#next]?.forget();
    this.#ring[this.#next] = version;
    this.#next = (this.#next + 1) % this.#ring.length;
  }
}

/** An object without `apiVersion` and `kind` as JSON, without its opening brace. */
export function objectTail(object: ApiObject): string {
  return JSON.stringify(object).slice(1);
}

/** The place of an object within its resource; `namespace` is "" outside of namespaces. */
export interface ObjectAddress {
  readonly namespace: string;
  readonly name: string;
}

/** The key of an object within its resource. */
export function storageKey(namespace: string, name: string): string {
  return namespace === "" ? name : `${namespace}/${name}`;
}

/** True for JSON objects with a `metadata` object. */
function isApiObject(value: unknown): value is ApiObject {
  return isRecord(value) && isRecord(value["metadata"]);
}

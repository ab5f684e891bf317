import type { Cached, KubernetesObject } from "@listwatch/core-fifo";
import { checkOptions, type Complete } from "@listwatch/core-fifo/base";
import type { Draft, Replacement } from "../resource/object-forms.ts";
import type { PatchOf } from "../resource/patches.ts";
import {
  attemptsOf,
  patchTable,
  requestTable,
  updateTable,
  writeTable,
  type PatchOptions,
  type PatchType,
  type RequestOptions,
  type UpdateOptions,
  type WriteOptions,
} from "./request-options.ts";

/** Options of a patch of a subresource. */
export interface SubresourcePatchOptions extends PatchOptions {
  /** @default the resource itself */
  readonly subresource?: string | undefined;
}

/** Requests of a resource client for one of its subresources. */
export interface SubresourceRequests<T, K> {
  read(key: K, name: string, options: RequestOptions): Promise<T>;
  write(
    method: "POST" | "PUT",
    key: K,
    name: string,
    body: unknown,
    options: UpdateOptions,
  ): Promise<T>;
  patch(key: K, patch: unknown, options: SubresourcePatchOptions): Promise<T>;
}

/** Body to post to a subresource: any value if its type is unknown. */
export type SubresourceBody<T> = KubernetesObject extends T ? unknown : Draft<T>;

/**
 * Reads and writes one subresource, such as `scale`. Keys are those of the objects that it belongs
 * to. The handle of the resource determines its type.
 */
export class SubresourceClient<T, K> {
  readonly #requests: SubresourceRequests<T, K>;
  readonly #name: string;

  /** Called by {@link ResourceClient.subresource}. */
  constructor(requests: SubresourceRequests<T, K>, name: string) {
    this.#requests = requests;
    this.#name = name;
  }

  /**
   * Reads the subresource.
   *
   * @throws {StatusError} if there is no such object or subresource, or the server refuses
   */
  async get(key: K, options: RequestOptions = {}): Promise<T> {
    checkOptions(options, requestTable);
    return this.#requests.read(key, this.#name, attemptsOf(options));
  }

  /** Posts to it, such as to `eviction` or `binding`. */
  async create(key: K, body: SubresourceBody<T>, options: WriteOptions = {}): Promise<T> {
    checkOptions(options, writeTable);
    return this.#requests.write("POST", key, this.#name, body, options);
  }

  /**
   * Replaces it.
   *
   * @throws {DroppedFieldsError} like `update` of the object
   */
  async update(
    key: K,
    body: (T | Cached<T> | Replacement<T>) & Complete,
    options: UpdateOptions = {},
  ): Promise<T> {
    checkOptions(options, updateTable);
    return this.#requests.write("PUT", key, this.#name, body, options);
  }

  /**
   * Changes the subresource. The type of patch is an option, a merge patch by default.
   *
   * @throws {StatusError} if there is no such object, or the server refuses the patch
   */
  async patch<Type extends PatchType = "merge">(
    key: K,
    patch: PatchOf<T, Type>,
    options: PatchOptions<Type> = {},
  ): Promise<T> {
    checkOptions(options, patchTable);
    return this.#requests.patch(key, patch, { ...options, subresource: this.#name });
  }
}

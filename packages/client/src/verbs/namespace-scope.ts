import { objectName, splitMetaNamespaceKey, type ObjectName } from "@listwatch/core-fifo";
import { createInvalidOptionError, metadataOf, stringOf } from "@listwatch/core-fifo/base";
import { InvalidNameError } from "../resource/invalid-name-error.ts";
import { checkResource } from "../resource/paths.ts";
import type { ResourceReference } from "../resource/resource.ts";

/**
 * Interprets keys, objects and selections for a client: of all namespaces, where a key is
 * `namespace/name`, or of one namespace, where it is a name.
 */
export class NamespaceScope {
  /** Namespace that the client is narrowed to. */
  readonly namespace: string | undefined;
  /** Whether all objects are known to be namespaced. */
  readonly #isNamespaced: boolean;
  readonly #isNameless: boolean;

  /** @throws {InvalidOptionsError} if the resource has no such namespace */
  constructor(resource: ResourceReference<unknown>, namespace?: string) {
    checkResource(resource);
    if (namespace !== undefined && (namespace === "" || resource.scope === "Cluster")) {
      const expected =
        namespace === ""
          ? "the name of a namespace"
          : `none, since ${resource.resource} are of the whole cluster`;
      throw createInvalidOptionError("namespace", expected, namespace);
    }
    this.namespace = namespace;
    this.#isNamespaced = resource.scope === "Namespaced";
    this.#isNameless = isReview(resource);
  }

  /** @throws {InvalidNameError} if the key is not a string, or lacks a required namespace */
  nameOf(key: unknown): ObjectName {
    if (typeof key !== "string") throw new InvalidNameError("name", key);
    const { namespace } = this;
    if (namespace !== undefined) return { namespace, name: key };
    const name = splitMetaNamespaceKey(key);
    if (name.namespace !== "" || !this.#isNamespaced) return name;
    throw new InvalidNameError("namespace", key, 'the key "namespace/name"');
  }

  /** @throws {ListwatchError} with the code `LW_NO_METADATA` if the object has no name */
  nameOfObject(object: unknown): ObjectName {
    const { name, namespace } = objectName(object);
    return { name, namespace: this.narrow(namespace) };
  }

  /**
   * Returns the namespace in which an object is created.
   *
   * @throws {ListwatchError} with the code `LW_NO_METADATA` if it has neither a name nor a
   *   generateName, unless it is a review
   */
  namespaceOfDraft(object: unknown): string {
    const metadata = metadataOf(object) ?? {};
    const isToBeNamed = "generateName" in metadata && stringOf(metadata.generateName) !== "";
    const allowMissingName = isToBeNamed || this.#isNameless;
    const named = this.#isNameless ? { metadata } : object;
    return this.narrow(objectName(named, { allowMissingName }).namespace);
  }

  /**
   * Returns the namespace for a given one; `""` for all of them.
   *
   * @throws {InvalidOptionsError} if it is not the one that the client is narrowed to
   * @throws {InvalidNameError} if it is not a string: `null` must not select all namespaces
   */
  narrow(given: string | undefined): string {
    if (given !== undefined && typeof given !== "string") {
      throw new InvalidNameError("namespace", given);
    }
    const { namespace } = this;
    if (namespace === undefined) return given ?? "";
    if (given === undefined || given === "" || given === namespace) return namespace;
    const expected = `"${namespace}", which the client is narrowed to, or none`;
    throw createInvalidOptionError("namespace", expected, given);
  }
}

/**
 * Whether the objects are questions to the server, which are not stored: the reviews of
 * authentication.k8s.io and authorization.k8s.io, and of other groups, have no names.
 */
function isReview({ resource }: ResourceReference<unknown>): boolean {
  return resource.endsWith("reviews");
}

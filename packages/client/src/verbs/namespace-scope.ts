import { objectName, splitMetaNamespaceKey, type ObjectName } from "@listwatch/core-fifo";
import { createInvalidOptionError, metadataOf, stringOf } from "@listwatch/core-fifo/base";
import { InvalidNameError } from "../resource/invalid-name-error.ts";
import { checkResource } from "../resource/paths.ts";
import type { ResourceReference } from "../resource/resource.ts";

/**
 * What keys, objects and selections mean to a client: of all namespaces, where a key is
 * `namespace/name`, or narrowed to one, where it is a name.
 */
export class NamespaceScope {
  /** The namespace that the client is narrowed to. */
  readonly namespace: string | undefined;
  /** Whether all objects are known to live in namespaces. */
  readonly #isNamespaced: boolean;
  readonly #isNameless: boolean;

  /** @throws {InvalidOptionsError} if there is no such namespace for the resource */
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

  /** @throws {InvalidNameError} if the key is no text, or has no namespace where one belongs */
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
   * The namespace in which an object is created.
   *
   * @throws {ListwatchError} with the code `LW_NO_METADATA` if it has neither a name nor the
   *   beginning of one, unless it is a review
   */
  namespaceOfDraft(object: unknown): string {
    const metadata = metadataOf(object) ?? {};
    const isToBeNamed = "generateName" in metadata && stringOf(metadata.generateName) !== "";
    const allowMissingName = isToBeNamed || this.#isNameless;
    const named = this.#isNameless ? { metadata } : object;
    return this.narrow(objectName(named, { allowMissingName }).namespace);
  }

  /**
   * The namespace that is meant where this one is given; `""` for all of them.
   *
   * @throws {InvalidOptionsError} if it is not the one that the client is narrowed to
   * @throws {InvalidNameError} if it is no text: `null` must not mean all namespaces
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
 * Whether the objects are questions to the server, which nothing stores: the reviews of
 * authentication.k8s.io and authorization.k8s.io, and those of other groups, have no names.
 */
function isReview({ resource }: ResourceReference<unknown>): boolean {
  return resource.endsWith("reviews");
}

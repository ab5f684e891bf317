import {
  createNoMetadataError,
  describeValue,
  isRecord,
  metadataOf,
  aString,
  checkOption,
  checkOptions,
  type OptionCheck,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import {
  ListwatchError,
  type Cached,
  type Key,
  type ObjectMeta,
  type Scope,
} from "@listwatch/core-fifo";
import { fieldOf, holds, parseTerms } from "../selectors/field-parser.ts";
import type { FieldSelector } from "../selectors/field-selector.ts";
import { parseRequirements } from "../selectors/label-parser.ts";
import type { LabelSelector } from "../selectors/label-selector.ts";
import { createLabelTest, labelOf } from "../selectors/label-test.ts";

/** A resource by its group, `""` for the core group, and its plural name. */
export interface GroupResource {
  /** API group, such as `apps`; `""` for the core group. */
  readonly group: string;
  /** Plural name, such as `deployments`. */
  readonly resource: string;
}

/**
 * A lister has no object of a name. The message is the one that the API server would send with
 * status 404, and the client's `isNotFound` is true for both. Code `LW_NOT_FOUND`.
 */
export class NotFoundError extends ListwatchError implements GroupResource {
  /** Always `"NotFoundError"`, also in minified programs. */
  override readonly name: string = "NotFoundError";
  /** API group of the resource; `""` for the core group. */
  readonly group: string;
  /** Plural name of the resource, such as `pods`. */
  readonly resource: string;
  /** The name that was looked up, without its namespace. */
  readonly objectName: string;

  /** @param objectName name that was looked up, without its namespace */
  constructor({ group, resource }: GroupResource, objectName: string) {
    const qualified = group === "" ? resource : `${resource}.${group}`;
    super("LW_NOT_FOUND", `${qualified} ${JSON.stringify(objectName)} not found`);
    this.group = group;
    this.resource = resource;
    this.objectName = objectName;
  }
}

/** A store that a lister can read. Every `Indexer` is one. */
export interface ListableStore<T> {
  /** Returns all objects. */
  list(): Cached<T>[];
  /** Returns the object with this key; `undefined` if there is none. */
  getByKey(key: string): Cached<T> | undefined;
  /** Returns the objects of a namespace; `undefined` if the store has no index by namespace. */
  listNamespace(namespace: string): Cached<T>[] | undefined;
}

/** Selects objects that match both selectors. */
export interface SelectionOptions {
  /** Selector as for `kubectl -l`, or a parsed one. @default none, all objects */
  readonly labelSelector?: string | LabelSelector | undefined;
  /**
   * Selector as for `kubectl --field-selector`, or a parsed one. Any path of the object works, see
   * `fieldOf`.
   *
   * @default none, all objects
   */
  readonly fieldSelector?: string | FieldSelector | undefined;
}

const selectionTable: OptionsOf<SelectionOptions> = {
  labelSelector: aSelector(true),
  fieldSelector: aSelector(false),
};

/** Recognizes selectors by their members, of which `isSelectable` is one of label selectors. */
function aSelector(isOfLabels: boolean): OptionCheck {
  return (value) =>
    typeof value === "string" ||
    (isRecord(value) && "requiresExactMatch" in value && "isSelectable" in value === isOfLabels)
      ? undefined
      : "a string or a selector";
}

/**
 * Returns the objects of a store that match the selectors. A selector that matches nothing does not
 * read the store; one that matches everything does not read the objects.
 *
 * @throws {InvalidSelectorError} if a selector's text is none
 * @throws {ListwatchError} with the code `LW_NO_METADATA` if labels are to be matched and an object
 *   has no metadata
 */
export function listAll<T>(store: ListableStore<T>, options: SelectionOptions = {}): Cached<T>[] {
  const tests = createTests(options);
  return tests === undefined ? [] : select(store.list(), tests);
}

/**
 * Same as {@link listAll}, for one namespace; `""` means all of them. O(objects in the namespace)
 * with the index `namespace`, O(all objects) without it.
 *
 * @throws {InvalidSelectorError} if a selector's text is none
 * @throws {ListwatchError} with the code `LW_NO_METADATA` if labels are to be matched, or the store
 *   has no index by namespace, and an object has no metadata
 */
export function listAllByNamespace<T>(
  store: ListableStore<T>,
  namespace: string,
  options: SelectionOptions = {},
): Cached<T>[] {
  if (namespace === "") return listAll(store, options);
  const tests = createTests(options);
  if (tests === undefined) return [];
  const objects =
    store.listNamespace(namespace) ??
    store.list().filter((object) => (metadataFrom(object).namespace ?? "") === namespace);
  return select(objects, tests);
}

/** Options of {@link Lister}: the resource of the store, such as a handle. */
export interface ListerOptions<S extends Scope = Scope> {
  /** Plural name, such as `pods`. */
  readonly resource: string;
  /** API group of the resource, such as `apps`. @default the core group */
  readonly group?: string | undefined;
  /** Kind of the objects, such as `Pod`. @default unknown */
  readonly kind?: string | undefined;
  /** Scope of the objects, for the type of their keys. @default unknown */
  readonly scope?: S | undefined;
}

/**
 * Reads a store like the API server: by name, by namespace, by selectors. A lister keeps nothing
 * itself and returns the current content of the store. Objects are shared with the store. The order
 * is not defined.
 *
 * ```ts
 * import { Indexer, Lister, namespaceIndex } from "@listwatch/store-indexer";
 *
 * interface Pod {
 *   metadata: { namespace: string; name: string; labels?: Record<string, string> };
 * }
 * const store = new Indexer({ keyFunc: keyOfPod, indexers: namespaceIndex });
 * store.add({ metadata: { namespace: "shop", name: "web-1", labels: { app: "web" } } });
 *
 * const pods = new Lister(store, { resource: "pods" });
 * const web = pods.namespace("shop").list({ labelSelector: "app in (web, api)" });
 * if (web[0] !== pods.namespace("shop").get("web-1"))
 *   throw new Error("Expected the same object");
 *
 * function keyOfPod({ metadata }: Pod): string {
 *   return `${metadata.namespace}/${metadata.name}`;
 * }
 * ```
 */
export class Lister<T, S extends Scope = Scope> {
  readonly #store: ListableStore<T>;
  readonly #resource: GroupResource;

  constructor(store: ListableStore<T>, { group = "", resource }: ListerOptions<S>) {
    // A handle of a resource has other members, too.
    checkOption("resource", resource, aString);
    checkOption("group", group, aString);
    this.#store = store;
    this.#resource = { group, resource };
  }

  /** Returns the objects of all namespaces that match the selectors; see {@link listAll}. */
  list(options?: SelectionOptions): Cached<T>[] {
    return listAll(this.#store, options);
  }

  /**
   * Returns an object by its key: `namespace/name`, or `name` for cluster-scoped objects.
   *
   * @throws {NotFoundError}
   */
  get(key: Key<S>): Cached<T> {
    return this.find(key) ?? notFound(this.#resource, key);
  }

  /** Same as {@link Lister.get}, but returns `undefined` for a missing object. */
  find(key: Key<S>): Cached<T> | undefined {
    return this.#store.getByKey(key);
  }

  /** Returns a lister for one namespace. */
  namespace(namespace: string): NamespacedLister<T> {
    return new NamespacedLister(this.#store, this.#resource, namespace);
  }
}

/** A {@link Lister} for one namespace. */
export class NamespacedLister<T> {
  readonly #store: ListableStore<T>;
  readonly #resource: GroupResource;
  readonly #namespace: string;

  constructor(store: ListableStore<T>, resource: GroupResource, namespace: string) {
    this.#store = store;
    this.#resource = resource;
    this.#namespace = namespace;
  }

  /** Returns the objects of the namespace that match the selectors; see {@link listAllByNamespace}. */
  list(options?: SelectionOptions): Cached<T>[] {
    return listAllByNamespace(this.#store, this.#namespace, options);
  }

  /**
   * Returns an object by its name.
   *
   * @throws {NotFoundError}
   */
  get(name: string): Cached<T> {
    return this.find(name) ?? notFound(this.#resource, name);
  }

  /** Same as {@link NamespacedLister.get}, but returns `undefined` for a missing object. */
  find(name: string): Cached<T> | undefined {
    return this.#store.getByKey(`${this.#namespace}/${name}`);
  }
}

type Test = (object: unknown) => boolean;

/**
 * Returns a function for each selector that does not match everything; `undefined` if one matches
 * nothing. Texts become functions without a selector, so that programs with an informer do not load
 * the classes of selectors.
 */
function createTests(options: SelectionOptions): Test[] | undefined {
  checkOptions(options, selectionTable);
  const { labelSelector = "", fieldSelector = "" } = options;
  const tests: Test[] = [];
  let isNothing = false;
  if (typeof labelSelector === "string") {
    const terms = parseRequirements(labelSelector, (key, operator, values) => ({
      key,
      accepts: createLabelTest(key, operator, values, true),
    }));
    if (terms.length > 0) {
      tests.push((object) => {
        const { labels } = metadataFrom(object);
        // Not `every`, which would create a function for each object.
        for (const { accepts, key } of terms) if (!accepts(labelOf(labels, key))) return false;
        return true;
      });
    }
  } else {
    isNothing = !labelSelector.isSelectable;
    if (!labelSelector.isEmpty)
      tests.push((object) => labelSelector.matches(metadataFrom(object).labels));
  }
  if (typeof fieldSelector === "string") {
    const terms = parseTerms(fieldSelector);
    if (terms.length > 0) {
      tests.push((object) => {
        for (const term of terms) if (!holds(term, fieldOf(object, term.field))) return false;
        return true;
      });
    }
  } else if (!fieldSelector.isEmpty) {
    // The selector for nothing has no terms, and one without terms that matches something is empty.
    isNothing ||= fieldSelector.requirements.length === 0;
    tests.push((object) => fieldSelector.matches((field) => fieldOf(object, field)));
  }
  return isNothing ? undefined : tests;
}

/** Returns the objects that pass all tests, possibly the same array. */
function select<O>(objects: O[], tests: readonly Test[]): O[] {
  return tests.reduce((selected, matches) => selected.filter(matches), objects);
}

function metadataFrom(object: unknown): ObjectMeta {
  const metadata = metadataOf(object);
  if (metadata !== undefined) return metadata;
  throw createNoMetadataError(
    `Cannot select by metadata: expected an object with metadata, got ${describeValue(object)}`,
  );
}

function notFound(resource: GroupResource, name: string): never {
  throw new NotFoundError(resource, name);
}

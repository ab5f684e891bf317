import { Collection, type CollectionOptions, type FieldPath, type Kept } from "@listwatch/client";
import type { KubernetesObject } from "@listwatch/core-fifo";
import type { ListerWatcher, SourceCollection } from "./lister-watcher.ts";

/** Options of {@link httpListerWatcher}. */
export interface HttpListerWatcherOptions<
  T extends KubernetesObject = KubernetesObject,
> extends CollectionOptions<T> {
  /**
   * Whether the server streams initial lists. If it does not, `false` saves one request.
   *
   * @default true
   */
  readonly watchListSupported?: boolean | undefined;
}

/** Connections of lister-watchers. */
const connections = new WeakMap<object, object>();

/** Returns the connection of a source, by which failures of several sources are one. */
export function connectionOf(listerWatcher: object): object | undefined {
  return connections.get(listerWatcher);
}

/**
 * Lists and watches a collection of an API server. It does no I/O before a request is made, keeps
 * nothing between requests and retries none. The connection may repeat one after a 401.
 *
 * ```ts
 * import { createConnection } from "@listwatch/client";
 * import { httpListerWatcher } from "@listwatch/reflector";
 * const pods = httpListerWatcher({
 *   connection: createConnection({ server: "https://kubernetes.default.svc" }),
 *   resource: { group: "", version: "v1", resource: "pods" },
 *   namespace: "default",
 * });
 * if (typeof pods.watch !== "function") throw new Error("unreachable");
 * ```
 *
 * @throws {InvalidOptionsError} if no request could reach the server of the connection
 */
export function httpListerWatcher<
  T extends KubernetesObject = KubernetesObject,
  const Fields extends readonly FieldPath[] | undefined = undefined,
  MetadataOnly extends boolean | undefined = boolean | undefined,
>(
  options: HttpListerWatcherOptions<T> & {
    /** Members of objects to keep, in a form that the compiler can infer. @default all members */
    readonly fields?: Fields;
    /** Whether only metadata is requested, in a form that the compiler can infer. @default false */
    readonly metadataOnly?: MetadataOnly;
  },
): ListerWatcher<Kept<T, Fields, MetadataOnly>> {
  // The type of a resource's objects only exists for the compiler.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const ofKept = options as unknown as CollectionOptions<Kept<T, Fields, MetadataOnly>>;
  const collection = new Collection(ofKept);
  const listerWatcher: ListerWatcher<Kept<T, Fields, MetadataOnly>> = {
    watchListSupported: options.watchListSupported ?? true,
    collection: collectionOf(options),
    list: (parameters, context) => collection.list(parameters, context),
    watch: (parameters, context) => collection.watch(parameters, context),
  };
  connections.set(listerWatcher, options.connection);
  return listerWatcher;
}

function collectionOf(options: SourceCollection): SourceCollection {
  const { fields, fieldSelector, labelSelector, metadataOnly, namespace } = options;
  const { resource, shardSelector } = options;
  return {
    fields,
    fieldSelector,
    labelSelector,
    metadataOnly,
    namespace,
    resource,
    shardSelector,
  };
}

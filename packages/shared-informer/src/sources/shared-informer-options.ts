import type { KeyFunction, KubernetesObject } from "@listwatch/core-fifo";
import type { ReflectorOptions, ReflectorWatchOptions } from "@listwatch/reflector";
import type { IndexValues, Transform } from "@listwatch/store-indexer";
import type { InformerMetrics } from "../informer/informer-metrics.ts";
import type { InformerOptions } from "../informer/informer-options.ts";

/**
 * Told of a failed list or watch, which will be tried again; `"stop"`, or throwing, ends the
 * informer instead.
 */
export type WatchErrorHandler = NonNullable<ReflectorOptions<KubernetesObject>["onError"]>;

/** Options of {@link SharedInformer}; those of the reflector are the same as there. */
export interface SharedInformerOptions<T extends KubernetesObject, I extends IndexValues>
  extends
    InformerOptions<T, I>,
    Omit<ReflectorOptions<T>, "clock" | "metrics" | "name" | "onError" | "store" | "watch"> {
  /** How the reflector watches; the informer has its own resync. */
  readonly watch?: Omit<ReflectorWatchOptions, "resyncMs" | "shouldResync"> | undefined;
  /**
   * Computes the key of an object, in the queue and in the cache.
   *
   * @default metaNamespaceKey
   */
  readonly keyFunc?: KeyFunction<T> | undefined;
  /**
   * Changes every object once, before it reaches cache and handlers, usually to drop what nobody
   * reads (SI-9). It may change the object in place.
   */
  readonly transform?: Transform<T> | undefined;
  /**
   * Whether the resourceVersion that an object had before `transform` tells a change from a resync,
   * and how far the cache is. `false` is client-go's way: without resourceVersions every update
   * counts as a resync (SI-21).
   *
   * @default true
   */
  readonly keepResourceVersions?: boolean | undefined;
  /**
   * Whether an object of a list that has no key, or whose transform throws, is reported to
   * `onError` and left out. `false` is client-go's way: the whole list fails, and is asked for
   * again (RF-2, RF-6).
   *
   * @default true
   */
  readonly checkKeys?: boolean | undefined;
  /** Told of each failed list or watch; without it they go to `onError`. */
  readonly onWatchError?: WatchErrorHandler | undefined;
  /**
   * What a 403 means: `retry` waits for the rights, `stop` ends the informer; `run` then rejects
   * with the error.
   *
   * @default "retry"
   */
  readonly whenForbidden?: "retry" | "stop" | undefined;
  /**
   * What a 404, a resource that is not served, means: `retry` and `wait` try until it is there, the
   * latter without reporting it, for a CustomResourceDefinition that is still to come; `stop` ends
   * the informer, `run` then rejects with the error.
   *
   * @default "retry"
   */
  readonly whenNotFound?: "retry" | "stop" | "wait" | undefined;
  readonly metrics?: InformerMetrics | undefined;
}

import type { KeyFunction, KubernetesObject, Random, Scope, Transform } from "@listwatch/core-fifo";
import {
  clientGoBehaviour,
  type ListerWatcher,
  type ReflectorOptions,
  type ReflectorTrace,
} from "@listwatch/reflector";
import type { IndexValues } from "@listwatch/store-indexer";
import type {
  InformerCacheOptions,
  InformerOptions,
  InformerTelemetry,
} from "../informer/informer-options.ts";

type OptionsOfReflector = ReflectorOptions<KubernetesObject>;
type ReflectorBehaviour = typeof clientGoBehaviour;

/**
 * Called with a failed list or watch, which will be tried again; `"stop"`, or throwing, ends the
 * informer instead.
 */
export type WatchErrorHandler = NonNullable<OptionsOfReflector["onError"]>;

/** What a {@link SharedInformer} keeps, and how. */
export interface SharedInformerCacheOptions<
  T,
  S extends Scope = Scope,
> extends InformerCacheOptions<S> {
  /**
   * Computes the key of an object, in the queue and in the cache.
   *
   * @default metaNamespaceKey
   */
  readonly keyFunc?: KeyFunction<T> | undefined;
  /**
   * Says which objects are kept, for what no selector can say; called with each object as the
   * server sends it, before `transform`. One that is no longer wanted is deleted from cache and
   * handlers, one that is wanted from now on is added. It must depend on nothing but the object,
   * and not change it. An object for which it throws is kept, and the error reported.
   *
   * The server still sends all objects: a selector costs less where there is one.
   *
   * @default all
   */
  readonly keep?: ((object: T) => boolean) | undefined;
  /**
   * Changes every object once, before it reaches cache and handlers, usually to drop what nothing
   * reads. It may change the object in place.
   */
  readonly transform?: Transform<T> | undefined;
}

/** How a {@link SharedInformer} tries again. */
export interface SharedInformerRetryOptions extends NonNullable<OptionsOfReflector["retry"]> {
  /**
   * What a 403 means: `retry` waits for the rights, `stop` ends the informer; `run` then rejects
   * with the error.
   *
   * @default "retry"
   */
  readonly whenForbidden?: "retry" | "stop" | undefined;
  /**
   * What a 404, a resource that is not served, means: `retry` and `wait` try until it is there, the
   * latter without a report, for a CustomResourceDefinition that is still to come; `stop` ends the
   * informer, `run` then rejects with the error.
   *
   * @default "retry"
   */
  readonly whenNotFound?: "retry" | "stop" | "wait" | undefined;
  /**
   * What a 400, 405, 406, 413, 415 or 422 means, with which a server refuses what is asked for,
   * such as a selector that it cannot read: `retry` tries again; `stop` ends the informer, `run`
   * then rejects with the error. A server that only refuses to stream the list is asked for an
   * ordinary one first.
   *
   * @default "retry"
   */
  readonly whenBadRequest?: "retry" | "stop" | undefined;
  /** Called with each failed list or watch; without it they go to `onError`. */
  readonly onWatchError?: WatchErrorHandler | undefined;
  /** For the jitter of delays and of the lengths of watches. @default systemRandom */
  readonly random?: Random | undefined;
}

/** What is recorded about a {@link SharedInformer}. */
export interface SharedInformerTelemetry extends InformerTelemetry {
  /**
   * Called with what is worth a log line. What it throws goes to `onError`, and has no other
   * effect.
   */
  readonly onTrace?: ((trace: ReflectorTrace) => void) | undefined;
}

/** Where informer and reflector decide otherwise than client-go. */
export interface SharedInformerBehaviour extends ReflectorBehaviour {
  /**
   * Whether an object of a list that has no key, or whose transform throws, is reported and left
   * out. Otherwise the whole list fails, and is requested again.
   */
  readonly checkKeys: boolean;
  /**
   * Whether the resourceVersion that an object had before `transform` tells a change from a resync,
   * and how far the cache is. Otherwise, without resourceVersions, every update counts as a
   * resync.
   */
  readonly keepResourceVersions: boolean;
}

/**
 * client-go's ways where an informer's own differ on purpose, to reproduce what a Go program does:
 * those of the reflector; an object without a key fails its list; a transform that drops the
 * resourceVersion makes every update a resync.
 */
export const clientGoInformerBehaviour: SharedInformerBehaviour = {
  ...clientGoBehaviour,
  checkKeys: false,
  keepResourceVersions: false,
};

/** Options of {@link SharedInformer}. */
export interface SharedInformerOptions<
  T extends KubernetesObject,
  I extends IndexValues,
  S extends Scope = Scope,
> extends InformerOptions<T, I, S> {
  readonly listerWatcher: ListerWatcher<T>;
  readonly cache?: SharedInformerCacheOptions<T, S> | undefined;
  readonly list?: Omit<NonNullable<OptionsOfReflector["list"]>, "held"> | undefined;
  readonly watch?:
    | Omit<NonNullable<OptionsOfReflector["watch"]>, "resyncMs" | "shouldResync">
    | undefined;
  readonly retry?: SharedInformerRetryOptions | undefined;
  readonly telemetry?: SharedInformerTelemetry | undefined;
  /**
   * `clientGoInformerBehaviour` decides as client-go does wherever informer and reflector differ on
   * purpose.
   *
   * @default the values documented at the options of `list`, `watch` and `retry`
   */
  readonly behaviour?:
    | (SharedInformerBehaviour & { readonly initialTransform?: ((object: T) => T) | undefined })
    | undefined;
}

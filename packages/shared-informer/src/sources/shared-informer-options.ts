import type { KeyFunction, KubernetesObject, Random, Scope, Transform } from "@listwatch/core-fifo";
import { Preset } from "@listwatch/core-fifo/base";
import type {
  ListerWatcher,
  ReflectorListOptions,
  ReflectorRetryOptions,
  ReflectorWatchOptions,
} from "@listwatch/reflector";
import type { IndexValues } from "@listwatch/store-indexer";
import type { InformerCacheOptions, InformerOptions } from "../informer/informer-options.ts";
import { clientGoValues } from "./informer-behaviour.ts";

/** The objects that a list and watch brings, and their form. */
export interface SourceCacheOptions<T> {
  /**
   * Computes the key of an object, in the queue and in the cache.
   *
   * @default metaNamespaceKey
   */
  readonly keyFunc?: KeyFunction<T> | undefined;
  /**
   * Decides which objects are kept, where a selector cannot. Called with each object as the server
   * sends it, before `transform`. An object that is no longer wanted is deleted from cache and
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

/** The objects that a {@link SharedInformer} keeps, and their form. */
export interface SharedInformerCacheOptions<T, S extends Scope = Scope>
  extends InformerCacheOptions<S>, SourceCacheOptions<T> {}

/** Options of a {@link SharedInformer} for its lists. */
export interface SharedInformerListOptions extends Pick<
  ReflectorListOptions<never>,
  "pageSize" | "watchList" | "watchListRetryMs" | "watchListSilenceMs"
> {}

/** Options of a {@link SharedInformer} for its watches. */
export interface SharedInformerWatchOptions extends Pick<
  ReflectorWatchOptions,
  "silenceMs" | "storeFailure" | "watchGraceMs"
> {}

/** Options of a {@link SharedInformer} for further attempts. */
export interface SharedInformerRetryOptions extends Pick<
  ReflectorRetryOptions,
  "maxRetryAfterMs" | "unreachableCapMs"
> {}

/**
 * client-go's ways where an informer's own differ on purpose, to reproduce what a Go program does:
 * those of the reflector; an object without a key fails its list; a transform that drops the
 * resourceVersion makes every update a resync.
 */
export const clientGoInformerBehaviour: Preset<"clientGoInformerBehaviour"> =
  /* @__PURE__ */ new Preset("clientGoInformerBehaviour", clientGoValues);

/**
 * Options of {@link SharedInformer}. An informer that needs more of its {@link Reflector} is an
 * {@link Informer} over a {@link ReflectorSource}.
 */
export interface SharedInformerOptions<
  T extends KubernetesObject,
  I extends IndexValues,
  S extends Scope = Scope,
> extends InformerOptions<T, I, S> {
  readonly listerWatcher: ListerWatcher<T>;
  readonly cache?: SharedInformerCacheOptions<T, S> | undefined;
  readonly list?: SharedInformerListOptions | undefined;
  readonly watch?: SharedInformerWatchOptions | undefined;
  readonly retry?: SharedInformerRetryOptions | undefined;
  /**
   * `clientGoInformerBehaviour` decides as client-go does wherever informer and reflector differ on
   * purpose.
   *
   * @default the values documented at the options of `list`, `watch` and `retry`
   */
  readonly behaviour?: Preset<"clientGoInformerBehaviour"> | undefined;
  /** Varies the delays and the lengths of watches. @default Math.random */
  readonly random?: Random | undefined;
}

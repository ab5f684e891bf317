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

/** Selection and form of the objects of a list and watch. */
export interface SourceCacheOptions<T> {
  /**
   * Computes the key of an object, for the queue and the cache.
   *
   * @default metaNamespaceKey
   */
  readonly keyFunc?: KeyFunction<T> | undefined;
  /**
   * Selects the objects to keep, where a selector cannot. Called with each object of the server,
   * before `transform`. An object that stops to match is deleted from the cache and the handlers,
   * and one that starts to match is added. It must only depend on the object, and not change it. An
   * object for which it throws is kept, and the error is reported.
   *
   * The server still sends all objects, so a selector costs less where one is possible.
   *
   * @default all
   */
  readonly keep?: ((object: T) => boolean) | undefined;
  /**
   * Changes every object once, before the cache and the handlers receive it, usually to remove
   * unused parts. It may change the object in place.
   *
   * @default none
   */
  readonly transform?: Transform<T> | undefined;
}

/** Selection and form of the objects in the cache. */
export interface SharedInformerCacheOptions<T, S extends Scope = Scope>
  extends InformerCacheOptions<S>, SourceCacheOptions<T> {}

/** Options for lists. */
export interface SharedInformerListOptions extends Pick<
  ReflectorListOptions<never>,
  "pageSize" | "watchList" | "watchListRetryMs" | "watchListSilenceMs"
> {}

/** Options for watches. */
export interface SharedInformerWatchOptions extends Pick<
  ReflectorWatchOptions,
  "silenceMs" | "storeFailure" | "watchGraceMs"
> {}

/** Options for retries. */
export interface SharedInformerRetryOptions extends Pick<
  ReflectorRetryOptions,
  "maxRetryAfterMs" | "unreachableCapMs"
> {}

/**
 * client-go's behaviour of an informer, for programs that depend on it: that of the reflector; an
 * object without a key fails its list; a transform that removes the resourceVersion makes every
 * update a resync; resyncs of a slow handler pile up.
 */
export const clientGoInformerBehaviour: Preset<"clientGoInformerBehaviour"> =
  /* @__PURE__ */ new Preset("clientGoInformerBehaviour", clientGoValues);

/**
 * Options of {@link SharedInformer}. For further options of its {@link Reflector}, combine an
 * {@link Informer} with a {@link ReflectorSource}.
 */
export interface SharedInformerOptions<
  T extends KubernetesObject,
  I extends IndexValues,
  S extends Scope = Scope,
> extends InformerOptions<T, I, S> {
  /** Source of lists and watches, such as `httpListerWatcher`. */
  readonly listerWatcher: ListerWatcher<T>;
  /** Content and form of the cache. @default {} */
  readonly cache?: SharedInformerCacheOptions<T, S> | undefined;
  /** Pages and streams of lists. @default {} */
  readonly list?: SharedInformerListOptions | undefined;
  /** Limits and behaviour of watches. @default {} */
  readonly watch?: SharedInformerWatchOptions | undefined;
  /** Limits of the delays after failures. @default {} */
  readonly retry?: SharedInformerRetryOptions | undefined;
  /**
   * `clientGoInformerBehaviour` selects client-go's behaviour where the informer or the reflector
   * differs.
   *
   * @default the values documented at the options of `list`, `watch` and `retry`
   */
  readonly behaviour?: Preset<"clientGoInformerBehaviour"> | undefined;
  /** Randomness of delays and watch lengths. @default Math.random */
  readonly random?: Random | undefined;
}

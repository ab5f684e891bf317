import {
  clientGoQueueBehaviour,
  type KeyFunction,
  type KubernetesObject,
  type Random,
  type Scope,
  type Transform,
} from "@listwatch/core-fifo";
import { Preset } from "@listwatch/core-fifo/base";
import {
  clientGoBehaviour,
  type ListerWatcher,
  type ReflectorListOptions,
  type ReflectorRetryOptions,
  type ReflectorWatchOptions,
} from "@listwatch/reflector";
import type { IndexValues } from "@listwatch/store-indexer";
import type { InformerCacheOptions, InformerOptions } from "../informer/informer-options.ts";

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

/** Decisions of an informer that a preset can change. */
export interface InformerBehaviour {
  /**
   * The preset of the queue. With client-go's an object of a list that has no key, or whose
   * transform throws, fails the whole list. Without it such an object is reported and left out.
   */
  readonly queue?: Preset<"clientGoQueueBehaviour"> | undefined;
  readonly reflector?: Preset<"clientGoBehaviour"> | undefined;
  /**
   * Whether the resourceVersion that an object had before `transform` tells a change from a resync,
   * and how far the cache is. Otherwise, without resourceVersions, every update counts as a
   * resync.
   */
  readonly keepResourceVersions: boolean;
}

const defaultBehaviour: InformerBehaviour = { keepResourceVersions: true };

/**
 * client-go's ways where an informer's own differ on purpose, to reproduce what a Go program does:
 * those of the reflector; an object without a key fails its list; a transform that drops the
 * resourceVersion makes every update a resync.
 */
export const clientGoInformerBehaviour: Preset<"clientGoInformerBehaviour"> =
  /* @__PURE__ */ new Preset("clientGoInformerBehaviour", {
    keepResourceVersions: false,
    queue: clientGoQueueBehaviour,
    reflector: clientGoBehaviour,
  });

/** @throws {InvalidOptionsError} if it is not the preset of informers */
export function resolveBehaviour(behaviour: unknown): InformerBehaviour {
  return Preset.resolve(behaviour, "clientGoInformerBehaviour", defaultBehaviour);
}

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

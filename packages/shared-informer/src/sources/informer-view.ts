import { systemClock, type Scope } from "@listwatch/core-fifo";
import type { Indexers, IndexValues, NoIndexes } from "@listwatch/store-indexer";
import type { InformerOptions } from "../informer/informer-options.ts";
import { assertIndexes } from "../informer/assert-indexes.ts";
import { Informer } from "../informer/informer.ts";
import { ViewSource, type ViewedInformer, type ViewSelection } from "./view-source.ts";

/** Options of {@link InformerView}. */
export interface InformerViewOptions<T, I extends IndexValues, S extends Scope = Scope>
  extends InformerOptions<T, I, S>, ViewSelection<T> {}

/**
 * An informer over other informers, without its own list or watch: a part of one, or several as
 * one.
 *
 * Of one informer it shows the objects that match: one that begins to match is an add, one that no
 * longer matches a delete of its last matching state, whatever changed it. Several informers, such
 * as one per namespace, it shows as one cache; no key may be in two of them, as it would be with
 * informers of two clusters: the cache would have the state that came last, and lose it with either
 * deletion. The first such key is reported. It changes in the same turn as its sources. It ends
 * when it is stopped, or when all sources have ended.
 *
 * ```ts
 * import { createConnection } from "@listwatch/client";
 * import { InformerView, SharedInformerFactory } from "@listwatch/shared-informer";
 *
 * const connection = createConnection({ server: "http://127.0.0.1:8001" });
 * const factory = new SharedInformerFactory({ connection });
 * const pods = { group: "", version: "v1", resource: "pods" };
 * const shop = factory.informer(pods, { namespace: "shop" });
 * const test = factory.informer(pods, { namespace: "test" });
 * const web = new InformerView([shop, test], { labelSelector: "app=web" });
 * web.addEventHandler({ onAdd: (pod) => console.log(pod.metadata?.name) });
 * await web[Symbol.asyncDispose]();
 * ```
 */
export class InformerView<
  T,
  I extends IndexValues = NoIndexes,
  S extends Scope = Scope,
> extends Informer<T, I, S> {
  /** @throws {InvalidSelectorError} if a selector's text is none */
  constructor(
    informers: readonly ViewedInformer<T, S>[],
    options: InformerViewOptions<T, I, S> = {},
  ) {
    const { clock = systemClock, name = "view" } = options;
    super(new ViewSource(informers, { clock, name, selection: options }), {
      ...options,
      name,
    });
  }

  /** As {@link Informer.addIndexers}. */
  override addIndexers<J extends IndexValues>(indexers: Indexers<T, J>): InformerView<T, I & J, S> {
    super.addIndexers(indexers);
    assertIndexes<InformerView<T, I & J, S>>(this, indexers);
    return this;
  }
}

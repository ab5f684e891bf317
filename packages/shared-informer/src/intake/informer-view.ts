import { InvalidOptionsError, systemClock, type Scope } from "@listwatch/core-fifo";
import type { Indexers, IndexValues, NoIndexes } from "@listwatch/store-indexer";
import type { InformerOptions } from "../informer/informer-options.ts";
import { assertIndexes } from "../cache/informer-cache.ts";
import { Informer } from "../informer/informer.ts";
import { ViewSource, type ViewedInformer, type ViewSelection } from "./view-source.ts";
import {
  aFunction,
  checkOptions,
  type OptionsOf,
  having,
  aString,
  someStrings,
  type OptionCheck,
} from "@listwatch/core-fifo/base";
import { informerTable } from "../informer/informer-options.ts";

/** Options of {@link InformerView}. */
export interface InformerViewOptions<T, I extends IndexValues, S extends Scope = Scope>
  extends InformerOptions<T, I, S>, ViewSelection<T> {
  /**
   * Begin of the keys of each informer, such as `["east/", "west/"]`, so that equal keys of two
   * clusters are two objects. Reads by key need the prefix: `store.getByKey("east/shop/web")`. The
   * lister finds objects by selector, and not by name. The view shows no own writes before its
   * informers do.
   *
   * @default none, the informers' keys
   */
  readonly keyPrefixes?: readonly string[] | undefined;
}

const isParsed = /* @__PURE__ */ having("matches");
/** Strings are parsed later. */
const aSelector: OptionCheck = (value) =>
  aString(value) && isParsed(value) && "a string or a selector";

// A function: bundlers keep a constant that is spread from others, used or not.
const createViewTable = (): OptionsOf<InformerViewOptions<never, never>> => ({
  ...informerTable,
  labelSelector: aSelector,
  fieldSelector: aSelector,
  filter: aFunction,
  keyPrefixes: someStrings,
});

/**
 * An informer over other informers, without a list or watch: a part of one informer, or several as
 * one.
 *
 * Over one informer it contains the matching objects: an object that starts to match is added, and
 * one that stops to match is deleted with its last matching state, whatever changed it. Several
 * informers, such as one per namespace, become one cache. No key may be in two of them, as with
 * informers of two clusters without `keyPrefixes`: the cache would contain the state that came
 * last, and lose it with either deletion. The first such key is reported, and `status().problem`
 * names such keys while they last. A view changes in the same turn as its sources. It ends when it
 * is stopped, or when all sources have ended.
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
  /** @throws {InvalidSelectorError} if a selector cannot be parsed */
  constructor(
    informers: readonly ViewedInformer<T, S>[],
    options: InformerViewOptions<T, I, S> = {},
  ) {
    checkOptions(options, createViewTable());
    const { clock = systemClock, name = "view" } = options;
    const { keyPrefixes: prefixes } = options;
    const { length } = informers;
    if (prefixes && (prefixes.length !== length || new Set(prefixes).size !== length)) {
      const expected = `a different prefix for each of ${length} informers`;
      throw new InvalidOptionsError(
        `Cannot create the view ${name}: expected ${expected}, got ${prefixes.join(", ")}`,
        "keyPrefixes",
      );
    }
    super(new ViewSource(informers, { clock, name, selection: options, prefixes }), {
      ...options,
      name,
    });
  }

  /** Same as {@link Informer.addIndexers}. */
  override addIndexers<J extends IndexValues>(indexers: Indexers<T, J>): InformerView<T, I & J, S> {
    super.addIndexers(indexers);
    assertIndexes<InformerView<T, I & J, S>>(this, indexers);
    return this;
  }
}

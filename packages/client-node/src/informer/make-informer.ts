import type { KubeConfigLike } from "../kubeconfig/kube-config-like.ts";
import { DropInInformer } from "./drop-in-informer.ts";
import type { DropInOptions } from "./drop-in-options.ts";
import type { ListPromise } from "./verbs.ts";

/**
 * `makeInformer` of `@kubernetes/client-node` 2.x, with an informer behind it that does not end:
 * after a failure it calls the callbacks of `error` and tries again with back-off, it lists again
 * when the history has expired, and a callback that throws hurts no other.
 *
 * Guaranteed: callbacks are called one after the other, after the cache shows the change, for each
 * object in order; what changed while the connection was broken is delivered; a list that is older
 * than the cache is asked for again. A `delete` whose event was missed comes with the last known
 * object. Not guaranteed: a call for each state in between.
 *
 * Objects are plain JSON as the server sends it, from lists and from watches, with `apiVersion` and
 * `kind`; their timestamps are texts, whatever `T` says (see `Wire`, and the option `revive`). They
 * are shared with the cache and must not be changed.
 *
 * @param kubeconfig read at each start, for the watches; see `connectKubeConfig`
 * @param path path of the collection, such as `/api/v1/namespaces/default/pods`
 * @param listPromiseFn lists the same collection, all of it
 * @param labelSelector for the watches; the list function has to select the same. What does not
 *   match is reported once
 * @throws {InvalidOptionsError} if an argument or an option cannot be used
 */
export function makeInformer<T>(
  kubeconfig: KubeConfigLike,
  path: string,
  listPromiseFn: ListPromise<T>,
  labelSelector?: string,
  options: DropInOptions = {},
): DropInInformer<T> {
  const parts = { config: kubeconfig, path, list: listPromiseFn, labelSelector, options };
  return new DropInInformer<T>(parts);
}

import type { KubeConfigLike } from "../kubeconfig/kube-config-like.ts";
import { DropInInformer } from "./drop-in-informer.ts";
import type { DropInOptions } from "./drop-in-options.ts";
import type { ListPromise, UntypedObject } from "./verbs.ts";

/**
 * `makeInformer` of `@kubernetes/client-node` 2.x, with an informer that keeps running. After a
 * failure it calls the `error` callbacks and retries with backoff. It relists when the history has
 * expired. A callback that throws does not affect the others.
 *
 * Guaranteed: callbacks are called one after the other, after the cache has the change, and in
 * order for each object. Changes missed by a broken connection are delivered. A list that is older
 * than the cache is requested again, unless `listPromiseFn` repeats its version. A `delete` whose
 * event was missed has the last known object. Not guaranteed: a call for each intermediate state.
 *
 * Objects from lists and watches are plain JSON as the server sends it, with `apiVersion` and
 * `kind`. Their timestamps are strings, even where `T` has `Date` (see `Wire`, and the option
 * `revive`). They are shared with the cache and must not be changed.
 *
 * @param kubeconfig read at each start, for the watches; see `connectKubeConfig`
 * @param path any path, usually that of a collection: `/api/v1/namespaces/default/pods`. An
 *   argument that cannot be used, such as a path without a slash, rejects `start()`
 * @param listPromiseFn lists the same collection completely
 * @param labelSelector for the watches. The list function has to select the same objects; one that
 *   does not match is reported once
 * @throws {InvalidOptionsError} if an option cannot be used
 */
export function makeInformer<T = UntypedObject>(
  kubeconfig: KubeConfigLike,
  path: string,
  listPromiseFn: ListPromise<T>,
  labelSelector?: string,
  options: DropInOptions = {},
): DropInInformer<T> {
  const parts = { config: kubeconfig, path, list: listPromiseFn, labelSelector, options };
  return new DropInInformer<T>(parts);
}

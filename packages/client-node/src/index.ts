/**
 * A migration path from `@kubernetes/client-node`: a `makeInformer` that keeps running after
 * failures, and connections made from a `KubeConfig`. Loads nothing of that package.
 *
 * @module
 */
export type { Wire } from "@listwatch/client";
export { RefusedError } from "./informer/refused-error.ts";
export type { DropInInformer } from "./informer/drop-in-informer.ts";
export type { DropInOptions } from "./informer/drop-in-options.ts";
export { makeInformer } from "./informer/make-informer.ts";
export {
  ADD,
  CHANGE,
  CONNECT,
  DELETE,
  ERROR,
  UPDATE,
  type ErrorCallback,
  type Informer,
  type KubernetesListObject,
  type ListPromise,
  type ListWatch,
  type ObjectCache,
  type ObjectCallback,
  type ObjectVerb,
  type UntypedObject,
} from "./informer/verbs.ts";
export {
  connectKubeConfig,
  type ConnectKubeConfigOptions,
} from "./kubeconfig/connect-kube-config.ts";
export type { KubeConfigLike } from "./kubeconfig/kube-config-like.ts";
export { toWire } from "./wire/to-wire.ts";
export type { Models } from "./wire/revive.ts";

/**
 * Types that every object of the Kubernetes API has, for the declarations of other packages, so
 * that a compiler reads one file and not the queues.
 *
 * @module
 */
export type { KubernetesObject, ObjectMeta, Scope } from "./base/kubernetes-object.ts";

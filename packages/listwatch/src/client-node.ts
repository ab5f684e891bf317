/**
 * For programs of `@kubernetes/client-node`: its `makeInformer`, backed by an informer that does
 * not end, and connections from its `KubeConfig`: `@listwatch/client-node`.
 *
 * @module
 */
export * from "@listwatch/client-node";

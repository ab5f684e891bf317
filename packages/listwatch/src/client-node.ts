/**
 * For programs of `@kubernetes/client-node`: its `makeInformer` with an informer behind it that
 * does not end, and connections of its `KubeConfig`: `@listwatch/client-node`.
 *
 * @module
 */
export * from "@listwatch/client-node";

import {
  deletionHandlingMetaNamespaceKey,
  metaNamespaceKey,
  type KeyFunction,
} from "@listwatch/core-fifo";

/** The recordings' key function. Like client-go, it accepts an object without a name. */
export const plainKey: KeyFunction<unknown> = (object) =>
  metaNamespaceKey(object, { allowMissingName: true });

/** {@link plainKey} that accepts tombstones. */
export const deletionHandlingKey: KeyFunction<unknown> = (object) =>
  deletionHandlingMetaNamespaceKey(object, { allowMissingName: true });

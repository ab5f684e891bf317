import {
  deletionHandlingMetaNamespaceKey,
  metaNamespaceKey,
  type KeyFunction,
} from "@listwatch/core-fifo";

/** The key functions of the recordings, which give an object without a name a key as client-go does. */
export const plainKey: KeyFunction<unknown> = (object) =>
  metaNamespaceKey(object, { allowMissingName: true });

/** {@link plainKey} that accepts tombstones. */
export const deletionHandlingKey: KeyFunction<unknown> = (object) =>
  deletionHandlingMetaNamespaceKey(object, { allowMissingName: true });

import type { ApiObject } from "../../api/api-object.ts";

/** Keeps an object until nothing uses it: plugin/pkg/admission/storage/storageobjectinuseprotection. */
export function protect(object: ApiObject, finalizer: string): ApiObject {
  const { finalizers = [] } = object.metadata;
  if (finalizers.includes(finalizer)) return object;
  return { ...object, metadata: { ...object.metadata, finalizers: [...finalizers, finalizer] } };
}

import { isRecord, recordOf, stringOf, type JsonObject } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import type { Manifest } from "./node-manifests.ts";

/** Whether a server has written the object before: it has metadata that only a server sets. */
export function wasWrittenByServer({ metadata }: JsonObject): boolean {
  const { creationTimestamp, resourceVersion, uid } = recordOf(metadata);
  return [creationTimestamp, resourceVersion, uid].some((value) => (value ?? "") !== "");
}

/** Returns the object with other metadata. */
export function apiObjectOf(object: JsonObject, metadata: JsonObject): ApiObject {
  return { ...object, metadata };
}

/**
 * Gives each object without a uid the one by which other objects refer to it. Tools remove uids
 * from the metadata of what they print, and leave them in owner references.
 */
export function takeReferredUids(manifests: readonly Manifest[]): readonly Manifest[] {
  const uids = new Map<string, string>();
  for (const { object } of manifests) {
    const namespace = stringOf(recordOf(object["metadata"])["namespace"]);
    for (const reference of referencesIn(object)) note(uids, reference, namespace);
  }
  if (uids.size === 0) return manifests;
  return manifests.map((manifest) => {
    const metadata = recordOf(manifest.object["metadata"]);
    const { name, namespace, uid } = metadata;
    const known = uids.get(keyOf(manifest, stringOf(namespace), stringOf(name)));
    if (known === undefined || (uid ?? "") !== "") return manifest;
    return { ...manifest, object: { ...manifest.object, metadata: { ...metadata, uid: known } } };
  });
}

/** The references in an object that contain a uid. */
function referencesIn(object: JsonObject): readonly JsonObject[] {
  const { ownerReferences } = recordOf(object["metadata"]);
  const { boundObjectRef, claimRef } = recordOf(object["spec"]);
  const owners: readonly unknown[] = Array.isArray(ownerReferences) ? ownerReferences : [];
  const others = [claimRef, boundObjectRef, object["involvedObject"], object["regarding"]];
  return [...owners, ...others].filter(isRecord);
}

function note(uids: Map<string, string>, reference: JsonObject, namespace: string): void {
  const uid = stringOf(reference["uid"]);
  const apiVersion = stringOf(reference["apiVersion"]) || "v1";
  const kind = stringOf(reference["kind"]);
  if (uid === "" || kind === "") return;
  const name = stringOf(reference["name"]);
  const within = stringOf(reference["namespace"]) || namespace;
  // The owner may have no namespace.
  for (const place of new Set([within, ""])) {
    const key = keyOf({ apiVersion, kind }, place, name);
    if (!uids.has(key)) uids.set(key, uid);
  }
}

// Without the version: a reference may be in another one.
function keyOf(
  { apiVersion, kind }: Pick<Manifest, "apiVersion" | "kind">,
  namespace: string,
  name: string,
): string {
  const slash = apiVersion.indexOf("/");
  const group = slash < 0 ? "" : apiVersion.slice(0, slash);
  return JSON.stringify([group, kind, namespace, name]);
}

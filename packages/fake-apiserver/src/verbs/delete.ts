import { timestamp } from "../clock.ts";
import type { Answer } from "../http/answer.ts";
import { readBody } from "../http/body.ts";
import { notFound } from "../status/errors.ts";
import { successStatus } from "../status/status.ts";
import { storageKey, type StoredVersion } from "../storage/stored-version.ts";
import { isDryRun } from "./apply-update.ts";
import type { ResourceRequest } from "./resource-request.ts";

/** DELETE of an object. */
export async function deleteObject(request: ResourceRequest): Promise<Answer> {
  const { definition, info, store } = request;
  await readBody(request);
  const existing = store.get(storageKey(info.namespace, info.name));
  if (existing === undefined) throw notFound(definition, info.name);
  return deleteStored(request, existing);
}

/** Deletes an object, or marks it when finalizers hold it. */
export function deleteStored(request: ResourceRequest, existing: StoredVersion): Answer {
  const { core, definition, store } = request;
  const { metadata } = existing.object;
  const dryRun = isDryRun(request);
  if ((metadata.finalizers ?? []).length === 0) {
    const last = dryRun ? existing : core.storage.remove(store, existing);
    if (definition.returnsDeletedObject) return { type: "object", code: 200, version: last };
    const details = {
      name: existing.name,
      ...(definition.group === "" ? {} : { group: definition.group }),
      kind: definition.plural,
      uid: metadata.uid,
    };
    return { type: "document", code: 200, body: successStatus(details) };
  }
  if (metadata.deletionTimestamp !== undefined) {
    return { type: "object", code: 200, version: existing };
  }
  const revision = dryRun ? existing.revision : core.storage.nextRevision;
  const version = core.storage.version(
    {
      ...existing.object,
      metadata: {
        ...metadata,
        ...(metadata.generation === undefined ? {} : { generation: metadata.generation + 1 }),
        deletionTimestamp: timestamp(core.clock.now()),
        deletionGracePeriodSeconds: 0,
        resourceVersion: String(revision),
      },
    },
    revision,
  );
  if (!dryRun) core.storage.put(store, version);
  return { type: "object", code: 200, version };
}

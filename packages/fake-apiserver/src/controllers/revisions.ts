import { isJsonEqual, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { ApiError } from "../api/api-error.ts";
import { count, field } from "../base/read-fields.ts";
import type { Cluster, ClusterWriter } from "./cluster.ts";
import { claimObjects, controllerReference, type OwnerKind } from "./ownership.ts";
import { stringMap } from "./string-map.ts";
import { templateHash } from "./template-hash.ts";

const resource = "controllerrevisions.apps";

/** A set whose templates are kept as ControllerRevisions. */
export interface RevisionedSet {
  readonly cluster: Cluster;
  readonly writer: ClusterWriter;
  readonly kind: OwnerKind;
  readonly set: ApiObject;
  /** Label of a revision with its hash. */
  readonly hashLabel: string;
}

/** The revisions of a set, oldest first; that of its current template is `update`. */
export interface Revisions {
  readonly all: readonly ApiObject[];
  readonly update: ApiObject;
  readonly collisionCount: number;
}

/** Finds the revision of the template of a set, or creates it with the next number. */
export async function syncRevisions(revisioned: RevisionedSet): Promise<Revisions> {
  const { cluster, kind, set, writer } = revisioned;
  const claimed = await claimObjects({ ...kind, owner: set, cluster, writer, resource });
  const all = claimed
    .map(({ object }) => object)
    .toSorted((left, right) => numberOf(left) - numberOf(right));
  const data = dataOf(set);
  const found = all.findLast((one) => isJsonEqual(one["data"], data));
  const newest = all.at(-1);
  const next = (newest === undefined ? 0 : numberOf(newest)) + 1;
  const collisions = count(set, "status", "collisionCount");
  if (found === undefined) {
    const created = await createRevision(revisioned, data, next, collisions);
    return { ...created, all: [...all, created.update] };
  }
  const update =
    found === newest ? found : await writer.update(resource, { ...found, revision: next });
  const others = all.filter((one) => one !== found);
  return { all: [...others, update], update, collisionCount: collisions };
}

/** Deletes the oldest revisions beyond the history, except for those that are in use. */
export async function truncateHistory(
  { set, writer }: RevisionedSet,
  all: readonly ApiObject[],
  isUsed: (revision: ApiObject) => boolean,
): Promise<void> {
  const unused = all.filter((revision) => !isUsed(revision));
  const limit = count(set, "spec", "revisionHistoryLimit");
  for (const revision of unused.slice(0, Math.max(0, unused.length - limit))) {
    await writer.remove(resource, revision);
  }
}

/** Returns the pod template of a revision. */
export function templateOf(revision: ApiObject): JsonObject {
  const { $patch: _patch, ...template } = recordOf(field(revision, "data", "spec", "template"));
  return template;
}

// A patch that replaces the template: k8s.io/kubernetes pkg/controller/statefulset `getPatch`.
function dataOf(set: ApiObject): JsonObject {
  const template = recordOf(field(set, "spec", "template"));
  return { spec: { template: { ...template, $patch: "replace" } } };
}

function numberOf(revision: ApiObject): number {
  return count(revision, "revision");
}

async function createRevision(
  { hashLabel, kind, set, writer }: RevisionedSet,
  data: JsonObject,
  revision: number,
  firstCollisions: number,
): Promise<{ readonly update: ApiObject; readonly collisionCount: number }> {
  const { annotations, name, namespace } = set.metadata;
  const labels = stringMap(field(set, "spec", "template", "metadata", "labels"));
  for (let collisionCount = firstCollisions; ; collisionCount++) {
    const hash = templateHash(data, collisionCount);
    const metadata = {
      name: `${name}-${hash}`,
      namespace,
      labels: { ...labels, [hashLabel]: hash },
      ...(annotations && { annotations }),
      ownerReferences: [controllerReference(kind, set)],
    };
    try {
      const update = await writer.create(resource, { metadata, data, revision });
      return { update, collisionCount };
    } catch (error) {
      if (!(error instanceof ApiError) || error.reason !== "AlreadyExists") throw error;
    }
  }
}

import type { ApiObject } from "../api/api-object.ts";
import { field } from "../base/read-fields.ts";
import { formatLabelSelector } from "../selectors/format-label-selector.ts";
import { parseLabelSelector } from "../selectors/label-selector.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { Cluster, ClusterWriter } from "./cluster.ts";
import { controllerOf } from "./controller.ts";

/** Kind of an object that controls others. */
export interface OwnerKind {
  readonly apiVersion: string;
  readonly kind: string;
}

type Labels = Readonly<Record<string, string>>;

/** Returns the owner reference to a controller. */
export function controllerReference({ apiVersion, kind }: OwnerKind, owner: ApiObject): object {
  const { name, uid } = owner.metadata;
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}

/** Returns the test of a label selector with `matchLabels` and `matchExpressions`. */
export function selectorOf(selector: unknown): (labels: Labels | undefined) => boolean {
  if (selector === undefined) return () => false;
  const parsed = parseLabelSelector(formatLabelSelector(selector));
  return (labels) => parsed.matches(labels);
}

/** Returns the test of the selector in the spec of an owner of pods. */
export function podSelectorOf(owner: ApiObject): (labels: Labels | undefined) => boolean {
  const selector = field(owner, "spec", "selector");
  // Older than the other kinds: labels alone.
  return selectorOf(owner.kind === "ReplicationController" ? { matchLabels: selector } : selector);
}

/** An owner that claims objects. */
export interface Claim extends OwnerKind {
  readonly owner: ApiObject;
  readonly cluster: Cluster;
  readonly writer: ClusterWriter;
  /** Storage of the objects, such as `pods`. */
  readonly resource: string;
  /** @default the selector in the spec of the owner */
  readonly selects?: ((labels: Labels | undefined) => boolean) | undefined;
}

/**
 * Returns the objects that an owner controls. Adopts objects without a controller that its selector
 * matches, and releases those that it no longer matches (k8s.io/kubernetes pkg/controller
 * `BaseControllerRefManager`).
 */
export async function claimObjects(claim: Claim): Promise<readonly StoredObject[]> {
  const { cluster, owner, resource } = claim;
  const { deletionTimestamp, namespace = "", uid = "" } = owner.metadata;
  const isMatching = claim.selects ?? podSelectorOf(owner);
  const claimed: StoredObject[] = [];
  for (const stored of cluster.list(resource, namespace)) {
    const isMatched = isMatching(stored.labels);
    const controller = controllerUid(stored);
    if (controller === uid) {
      if (isMatched) claimed.push(stored);
      else if (deletionTimestamp === undefined) await release(claim, stored);
      continue;
    }
    const isOrphan = controller === "" && isMatched && !stored.isTerminating;
    if (!isOrphan || deletionTimestamp !== undefined) continue;
    await adopt(claim, stored);
    const adopted = cluster.get(resource, stored.key);
    if (adopted !== undefined) claimed.push(adopted);
  }
  return claimed;
}

const controllerUids = new WeakMap<StoredObject, string>();

function controllerUid(stored: StoredObject): string {
  let uid = controllerUids.get(stored);
  if (uid === undefined) {
    uid = controllerOf(stored.object)?.uid ?? "";
    controllerUids.set(stored, uid);
  }
  return uid;
}

async function adopt(claim: Claim, { object }: StoredObject): Promise<void> {
  const { ownerReferences = [] } = object.metadata;
  const added = [...ownerReferences, controllerReference(claim, claim.owner)];
  await withOwners(claim, object, added);
}

async function release(claim: Claim, { object }: StoredObject): Promise<void> {
  const { uid } = claim.owner.metadata;
  const { ownerReferences = [] } = object.metadata;
  const kept = ownerReferences.filter((reference) => field(reference, "uid") !== uid);
  await withOwners(claim, object, kept);
}

async function withOwners(
  { resource, writer }: Claim,
  object: ApiObject,
  ownerReferences: readonly unknown[],
): Promise<void> {
  const metadata = { ...object.metadata, ownerReferences };
  await writer.update(resource, { ...object, metadata });
}

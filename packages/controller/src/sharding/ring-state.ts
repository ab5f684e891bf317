import { metadataOf, recordOf, stringOf } from "@listwatch/core-fifo/base";
import { fnv1a64, type ShardKey } from "@listwatch/client";
import { holderOf, type LeaseObject } from "../election/lease.ts";

/** Label of all Leases of a ring, with its name. */
export const ringLabel = "listwatch-ring";

/** Version of the protocol between members. */
const protocol = 1;

/** Annotations of a ring (format, epoch, owners) and of its members (renewal, phase). */
const names = {
  format: "listwatch-ring-format",
  epoch: "listwatch-ring-epoch",
  owners: "listwatch-ring-owners",
  renewal: "listwatch-ring-renewal",
  phase: "listwatch-ring-phase",
};

/** Properties that all members of a ring must share. */
export interface RingFormat {
  readonly by: ShardKey;
  readonly slots: number;
}

/** The owners of all slots, as stored. */
export interface Ring {
  readonly lease: LeaseObject;
  readonly uid: string;
  readonly resourceVersion: string;
  /** Number of changes of the owners. */
  readonly epoch: number;
  /** Name of the Lease of each slot's owner; `""` without one. */
  readonly owners: readonly string[];
  readonly format: string;
}

/** Phase of a member: only an active one receives slots. */
export type MemberPhase = "active" | "joining" | "leaving";

/** A member, as others read it. */
export interface Member {
  readonly lease: LeaseObject;
  /** Changes with each renewal. */
  readonly version: string;
  readonly phase: MemberPhase;
}

/** A consistent state of a ring: the result of one list. */
export interface RingView {
  readonly ring: Ring | undefined;
  readonly members: ReadonlyMap<string, Member>;
}

/** Describes a format, for the ring and for errors. */
export function describeFormat({ by, slots }: RingFormat): string {
  return `protocol ${protocol}, ${slots} slots, FNV-1a 64 of the ${by}`;
}

export function readView(name: string, items: readonly LeaseObject[]): RingView {
  const members = new Map<string, Member>();
  let ring: Ring | undefined;
  for (const lease of items) {
    const own = stringOf(metadataOf(lease)?.name);
    if (own === name) ring = readRing(lease);
    else members.set(own, readMember(lease));
  }
  return { ring, members };
}

function annotationsOf(lease: LeaseObject): Readonly<Record<string, unknown>> {
  return recordOf(metadataOf(lease)?.annotations);
}

export function readRing(lease: LeaseObject): Ring {
  const annotations = annotationsOf(lease);
  const epoch = Number(stringOf(annotations[names.epoch]));
  return {
    lease,
    uid: stringOf(metadataOf(lease)?.uid),
    resourceVersion: stringOf(metadataOf(lease)?.resourceVersion),
    epoch: Number.isSafeInteger(epoch) ? epoch : 0,
    owners: stringOf(annotations[names.owners]).split(","),
    format: stringOf(annotations[names.format]) || "no format",
  };
}

function readMember(lease: LeaseObject): Member {
  const { resourceVersion, uid } = metadataOf(lease) ?? {};
  const phase = annotationsOf(lease)[names.phase];
  return {
    lease,
    version: `${uid}/${resourceVersion}`,
    phase: phase === "active" || phase === "leaving" ? phase : "joining",
  };
}

/** Returns the number of the renewal that a Lease contains. */
export function renewalOf(lease: LeaseObject): number {
  return Number(stringOf(annotationsOf(lease)[names.renewal]));
}

interface RingMetadata {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Metadata of the Lease of a ring. */
export function ringMetadata(
  { epoch, owners }: Pick<Ring, "epoch" | "owners">,
  name: string,
  format: RingFormat,
): RingMetadata {
  return {
    labels: { [ringLabel]: name },
    annotations: {
      [names.format]: describeFormat(format),
      [names.epoch]: String(epoch),
      [names.owners]: owners.join(","),
    },
  };
}

/** Metadata of the Lease of a member. */
export function memberMetadata(renewal: number, phase: MemberPhase, name: string): RingMetadata {
  return {
    labels: { [ringLabel]: name },
    annotations: { [names.renewal]: String(renewal), [names.phase]: phase },
  };
}

/** Returns the identity in the Lease of a member. */
export function identityIn(member: Member | undefined, name: string): string {
  return holderOf(member?.lease) || name;
}

/** The hash of a slot and a member: a member prefers the slots in which it is largest. */
export type SlotWeight = (slot: number, name: string) => bigint;

/** Most members whose weights are remembered. Dead members are forgotten with all others. */
const rememberedMembers = 64;

/** Returns a function that remembers the weights of members. */
export function createWeights(): SlotWeight {
  const known = new Map<string, bigint[]>();
  return (slot, name) => {
    let weights = known.get(name);
    if (weights === undefined) {
      if (known.size >= rememberedMembers) known.clear();
      weights = [];
      known.set(name, weights);
    }
    return (weights[slot] ??= fnv1a64(`${slot}/${name}`));
  };
}

/**
 * Assigns slots to members. Each gets an equal share, and keeps what it has of it; the rest goes by
 * rendezvous hashing to members below their share. So a change of one member moves few slots.
 *
 * @param members sorted names
 * @param before the owners before
 * @param weight of a slot for a member
 * @returns a name for each slot; `""` if there are no members
 */
export function assignSlots(
  members: readonly string[],
  before: readonly string[],
  weight: SlotWeight = createWeights(),
): readonly string[] {
  if (members.length === 0) return before.map(() => "");
  const left = sharesOf(members, before);
  if (isShared(before, left)) return before;
  const assigned: (string | undefined)[] = before.map(() => undefined);
  const give = (slot: number, name: string): void => {
    assigned[slot] = name;
    left.set(name, (left.get(name) ?? 0) - 1);
  };
  // By weight and not in order, because hashes of similar names are in neighbouring slots.
  const kept = Array.from(before.entries()).filter(([, name]) => left.has(name));
  kept.sort(([a, one], [b, other]) => (weight(b, other) > weight(a, one) ? 1 : -1));
  for (const [slot, name] of kept) if ((left.get(name) ?? 0) > 0) give(slot, name);
  for (const slot of before.keys()) {
    if (assigned[slot] !== undefined) continue;
    const below = members.filter((name) => (left.get(name) ?? 0) > 0);
    const [first = ""] = below;
    give(
      slot,
      below.reduce((best, name) => (weight(slot, name) > weight(slot, best) ? name : best), first),
    );
  }
  return assigned.map((name) => name ?? "");
}

/** Whether each slot has an owner, and no owner more slots than its share. */
function isShared(owners: readonly string[], shares: ReadonlyMap<string, number>): boolean {
  const left = new Map(shares);
  return owners.every((name) => {
    const count = left.get(name) ?? 0;
    left.set(name, count - 1);
    return count > 0;
  });
}

/** Returns the number of slots of each member. Those that have more keep one more than others. */
function sharesOf(members: readonly string[], before: readonly string[]): Map<string, number> {
  const least = Math.floor(before.length / members.length);
  const loads = new Map<string, number>();
  for (const name of before) loads.set(name, (loads.get(name) ?? 0) + 1);
  // Slots above the share do not count, so that a slot that has moved changes no share.
  const load = (name: string): number => Math.min(loads.get(name) ?? 0, least + 1);
  const largerShares = before.length % members.length;
  return new Map(
    members
      .toSorted((a, b) => load(b) - load(a))
      .map((name, index) => [name, index < largerShares ? least + 1 : least]),
  );
}

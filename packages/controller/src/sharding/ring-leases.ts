import type { Clock } from "@listwatch/core-fifo";
import { isInstance, metadataOf, recordOf, withTimeLimit } from "@listwatch/core-fifo/base";
import { isAlreadyExists, isConflict, isNotFound, type ResourceClient } from "@listwatch/client";
import { holderOf, type LeaseObject } from "../election/lease.ts";
import { onceWith, type Once } from "../election/lease-lock.ts";
import type { ElectionTimes } from "../election/leader-elector-options.ts";
import { microTime } from "../events/event-series.ts";
import { RingMismatchError } from "./ring-errors.ts";
import {
  describeFormat,
  memberMetadata,
  readRing,
  readView,
  renewalOf,
  ringLabel,
  ringMetadata,
  type MemberPhase,
  type Ring,
  type RingFormat,
  type RingView,
} from "./ring-state.ts";

/** Dependencies of {@link RingLeases}. */
export interface RingLeasesParts {
  readonly client: ResourceClient<LeaseObject>;
  readonly namespace: string;
  /** Name of the ring. */
  readonly ring: string;
  readonly format: RingFormat;
  readonly identity: string;
  readonly times: ElectionTimes;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
  /** Called when requests work again. */
  readonly onReached: () => void;
}

/**
 * Result of a request that depends on a state: `undefined` if it failed, so that it is unknown
 * whether it has arrived; `"gone"` or `"refused"` if the state is another one.
 */
type Conditional<T, Refusal> = T | Refusal | undefined;

/**
 * The requests of one member for the Leases of its ring. Failures are reported, and none is
 * repeated here.
 */
export class RingLeases {
  readonly #parts: RingLeasesParts;
  /** Numbers of the last renewal that is known to be stored, and of the last one that was sent. */
  #stored = 0;
  #sent = 0;

  constructor(parts: RingLeasesParts) {
    this.#parts = parts;
  }

  /** Reads the ring and all members, at one version. */
  list(): Promise<RingView | undefined> {
    return this.#ask(async (once) => {
      const { client, namespace, ring } = this.#parts;
      const labelSelector = `${ringLabel}=${ring}`;
      // Without a resourceVersion the server answers with its current state, from no cache.
      const list = await client.list({ namespace, labelSelector, resourceVersion: "", ...once });
      return readView(ring, list.items);
    });
  }

  /** Creates the Lease of the member. */
  async create(name: string): Promise<LeaseObject | undefined> {
    const body = this.#body(name, "joining");
    const number = this.#sent;
    const lease = await this.#ask((once) => this.#parts.client.create(body, once));
    if (lease !== undefined) this.#stored = number;
    return lease;
  }

  /**
   * Renews the Lease of the member, if it was there without interruption since the last time.
   *
   * @param known its last known state
   */
  async renew(known: LeaseObject, phase: MemberPhase): Promise<Conditional<LeaseObject, "gone">> {
    const { client, namespace } = this.#parts;
    const { name = "", uid } = metadataOf(known) ?? {};
    const body = this.#body(name, phase);
    const number = this.#sent;
    const renewed = await this.#ask(async (once) => {
      const update = (current: LeaseObject): Promise<LeaseObject> => {
        const { resourceVersion } = metadataOf(current) ?? {};
        const metadata = { ...body.metadata, uid, resourceVersion };
        return client.update({ ...body, metadata }, once);
      };
      try {
        return await update(known);
      } catch (error) {
        if (!isConflict(error) && !isNotFound(error)) throw error;
      }
      try {
        const current = await client.get(`${namespace}/${name}`, once);
        // A write whose answer was lost may have arrived. Anything else is not this member's.
        const isOwn = metadataOf(current)?.uid === uid && renewalOf(current) >= this.#stored;
        return isOwn ? await update(current) : "gone";
      } catch (error) {
        if (isNotFound(error)) return "gone";
        throw error;
      }
    });
    if (renewed !== undefined && renewed !== "gone") this.#stored = number;
    return renewed;
  }

  /**
   * Stores the owners of slots.
   *
   * @param ring its last known state, which the write requires; `undefined` to create it
   * @throws {RingMismatchError} if another program has a Lease of this name
   */
  async write(
    ring: Ring | undefined,
    owners: readonly string[],
  ): Promise<Conditional<Ring, "refused">> {
    const { client, format, namespace, ring: name } = this.#parts;
    const { annotations, labels } = ringMetadata(
      { epoch: (ring?.epoch ?? 0) + 1, owners },
      name,
      format,
    );
    const known = ring?.lease.metadata;
    const metadata = {
      ...known,
      namespace,
      name,
      labels: { ...known?.labels, ...labels },
      annotations: { ...known?.annotations, ...annotations },
    };
    return this.#ask(async (once) => {
      try {
        const body = { spec: {}, ...ring?.lease, metadata };
        return readRing(await client[ring === undefined ? "create" : "update"](body, once));
      } catch (error) {
        if (!isConflict(error) && !isAlreadyExists(error) && !isNotFound(error)) throw error;
      }
      if (ring === undefined) await this.#labelRing(once);
      return "refused";
    });
  }

  /**
   * Puts the label of the ring back if others have removed it, so that no list shows the ring.
   *
   * @throws {RingMismatchError} if the Lease is not that of a ring
   */
  async #labelRing(once: Once): Promise<void> {
    const { client, format, namespace, ring: name } = this.#parts;
    try {
      const lease = await client.get(`${namespace}/${name}`, once);
      const labels = recordOf(metadataOf(lease)?.labels);
      // Another member has just created it.
      if (labels[ringLabel] === name) return;
      if (readRing(lease).format !== describeFormat(format)) {
        const expected = `its Lease to have the label ${ringLabel}=${name}`;
        const actual = `a Lease of another program, held by ${JSON.stringify(holderOf(lease))}`;
        throw new RingMismatchError(`${namespace}/${name}`, expected, actual);
      }
      const metadata = { ...lease.metadata, labels: { ...labels, [ringLabel]: name } };
      await client.update({ ...lease, metadata }, once);
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error;
    }
  }

  /** Deletes a Lease, if it is still as it was read. */
  async delete(lease: LeaseObject): Promise<void> {
    const { client, namespace } = this.#parts;
    const { name, resourceVersion, uid } = metadataOf(lease) ?? {};
    await this.#ask(async (once) => {
      try {
        await client.delete(`${namespace}/${name}`, { uid, resourceVersion, ...once });
      } catch (error) {
        if (!isConflict(error) && !isNotFound(error)) throw error;
      }
    });
  }

  #body(name: string, phase: MemberPhase): LeaseObject {
    const { clock, identity, namespace, ring, times } = this.#parts;
    this.#sent += 1;
    return {
      metadata: { ...memberMetadata(this.#sent, phase, ring), namespace, name },
      spec: {
        holderIdentity: identity,
        leaseDurationSeconds: times.leaseDurationMs / 1000,
        renewTime: microTime(clock.now()),
      },
    };
  }

  /**
   * Makes a request with a time limit: three fit into a renew deadline. Returns `undefined` if it
   * fails, which is reported.
   */
  async #ask<R>(request: (once: Once) => Promise<R>): Promise<R | undefined> {
    const { clock, onError, onReached, times } = this.#parts;
    try {
      const answer = await withTimeLimit({ clock, limitMs: times.renewDeadlineMs / 3 }, (signal) =>
        request(onceWith(signal)),
      );
      onReached();
      return answer;
    } catch (error) {
      if (isInstance(error, RingMismatchError)) throw error;
      onError(error);
      return undefined;
    }
  }
}

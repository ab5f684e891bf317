import type { Clock, KubernetesObject } from "@listwatch/core-fifo";
import {
  durationOf,
  holderOf,
  isSameTerm,
  leases,
  transitionsOf,
  type LeaseObject,
  type LeaseSpec,
} from "./lease.ts";
import { recordOf } from "@listwatch/core-fifo/base";
import { isNotFound, type ResourceClient } from "@listwatch/client";
import { microTime } from "../events/event-series.ts";

/** Options of a {@link LeaseLock}. */
export interface LockOptions {
  readonly client: ResourceClient<LeaseObject>;
  readonly key: string;
  readonly identity: string;
  readonly leaseDurationMs: number;
  readonly labels: Readonly<Record<string, string>> | undefined;
  readonly clock: Clock;
  /** Called with the identity of a new holder. */
  readonly onHolder: (identity: string) => void;
  /** Called when a renewal has to read the lease first. */
  readonly onSlowPath: () => void;
}

/**
 * The lease as this candidate has seen it. Times in the lease are never compared with the local
 * clock, so clocks need not agree: the time at which a change was seen counts.
 */
export class LeaseLock {
  readonly #options: LockOptions;
  /** The lease as last read or written. */
  #observed: LeaseObject | undefined;
  #observedMs = -Infinity;
  /** End of the time in which the holder of a lease that was deleted may still lead. */
  #unknownUntilMs = -Infinity;
  /** Whether the last write failed. Another write from memory would fail in the same way. */
  #mustRead = false;

  constructor(options: LockOptions) {
    this.#options = options;
  }

  get holder(): string {
    return holderOf(this.#observed);
  }

  /** Reference to the lease, for events about it. */
  get object(): KubernetesObject {
    const [namespace, name] = this.#options.key.split("/");
    const uid = this.#observed?.metadata?.uid;
    return {
      apiVersion: `${leases.group}/${leases.version}`,
      kind: "Lease",
      metadata: { namespace, name, uid },
    };
  }

  /** Time since the lease was last seen to change, in milliseconds. */
  get observedAgeMs(): number {
    return this.#options.clock.now() - this.#observedMs;
  }

  /** Takes or renews the lease. Returns whether this candidate holds it. */
  async hold(isLeading: boolean, signal: AbortSignal): Promise<boolean> {
    if (isLeading && this.#observed !== undefined && this.#isValid()) {
      try {
        if (!this.#mustRead) {
          await this.#write(this.#observed, signal);
          return this.#isOurs;
        }
      } catch {
        // Another client wrote in between, or the request failed. The server's state decides.
        signal.throwIfAborted();
      }
      this.#options.onSlowPath();
    }
    const known = this.#observed;
    const current = await this.#read(signal);
    if (current === undefined) await this.#create(isLeading, signal);
    else this.#observe(current);
    this.#noteUid(known, isLeading);
    if (this.#options.clock.now() < this.#unknownUntilMs) return false;
    if (current === undefined) return this.#isOurs;
    const holder = holderOf(current);
    if (holder !== "" && holder !== this.#options.identity && this.#isValid()) return false;
    await this.#write(current, signal);
    return this.#isOurs;
  }

  /**
   * A lease with another uid replaces one that was deleted. Between two reads its holder may have
   * renewed the former lease, or led by a further one, so no candidate takes it for the duration.
   */
  #noteUid(known: LeaseObject | undefined, isLeading: boolean): void {
    if (isLeading) this.#unknownUntilMs = -Infinity;
    else if (known !== undefined && uidOf(known) !== uidOf(this.#observed)) {
      const durationMs = durationOf(known) ?? this.#options.leaseDurationMs;
      this.#unknownUntilMs = this.#options.clock.now() + durationMs;
    }
  }

  /** Judged by the answer of the server, which may differ from the lease that was sent. */
  get #isOurs(): boolean {
    return this.holder === this.#options.identity;
  }

  /**
   * Releases the lease if this candidate holds it according to a fresh read. client-go uses its
   * last observation and can release the lease of another candidate.
   *
   * @throws {StatusError} with `Conflict` if another client wrote in between
   */
  async release(signal: AbortSignal): Promise<void> {
    const current = await this.#read(signal);
    if (current === undefined || holderOf(current) !== this.#options.identity) return;
    const time = microTime(this.#options.clock.now());
    const spec: LeaseSpec = {
      holderIdentity: "",
      leaseDurationSeconds: 1,
      acquireTime: time,
      renewTime: time,
      leaseTransitions: transitionsOf(current),
    };
    this.#observe(await this.#options.client.update({ ...current, spec }, onceWith(signal)));
  }

  #isValid(): boolean {
    const durationMs = durationOf(this.#observed) ?? this.#options.leaseDurationMs;
    return this.#observedMs + durationMs > this.#options.clock.now();
  }

  async #read(signal: AbortSignal): Promise<LeaseObject | undefined> {
    try {
      return await this.#options.client.get(this.#options.key, onceWith(signal));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /**
   * Creates the lease. A candidate puts the lease of the holder back that it knows: a deletion does
   * not end a leadership.
   */
  async #create(isLeading: boolean, signal: AbortSignal): Promise<void> {
    const { client, clock, key, labels } = this.#options;
    const [namespace, name] = key.split("/");
    const known = isLeading || this.holder === "" ? undefined : this.#observed?.spec;
    const spec: LeaseSpec = known
      ? { ...known, renewTime: microTime(clock.now()) }
      : this.#spec(undefined);
    const lease = { metadata: { namespace, name, labels }, spec };
    this.#observe(await client.create(lease, onceWith(signal)));
  }

  async #write(current: LeaseObject, signal: AbortSignal): Promise<void> {
    const { client, labels } = this.#options;
    const metadata = { ...current.metadata, labels: { ...current.metadata?.labels, ...labels } };
    const lease = {
      ...current,
      metadata,
      spec: { ...recordOf(current.spec), ...this.#spec(current) },
    };
    this.#mustRead = true;
    this.#observe(await client.update(lease, onceWith(signal)));
    this.#mustRead = false;
  }

  #spec(current: LeaseObject | undefined): LeaseSpec {
    const { identity, leaseDurationMs, clock } = this.#options;
    const time = microTime(clock.now());
    const isOurs = current !== undefined && holderOf(current) === identity;
    const transitions = transitionsOf(current);
    return {
      holderIdentity: identity,
      leaseDurationSeconds: leaseDurationMs / 1000,
      acquireTime: isOurs ? (current.spec?.acquireTime ?? time) : time,
      renewTime: time,
      leaseTransitions: isOurs || current === undefined ? transitions : transitions + 1,
    };
  }

  #observe(lease: LeaseObject): void {
    const before = this.#observed;
    this.#observed = lease;
    if (before !== undefined && isSameTerm(before, lease)) return;
    this.#observedMs = this.#options.clock.now();
    const holder = holderOf(lease);
    if (holderOf(before) !== holder) this.#options.onHolder(holder);
  }
}

/** Options of requests that the client must not retry: electors and rings do so at their own pace. */
export interface Once {
  readonly signal: AbortSignal;
  readonly retries: 0;
}

/** Returns the options of a request that the client must not retry. */
export function onceWith(signal: AbortSignal): Once {
  return { signal, retries: 0 };
}

function uidOf(lease: LeaseObject | undefined): string | undefined {
  return lease?.metadata?.uid;
}

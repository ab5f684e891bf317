import { type Client, isStatusError, type ResourceClient } from "@listwatch/client";
import type { Clock } from "@listwatch/core-fifo/base";
import { type Lease, leases } from "@listwatch/resources/coordination.k8s.io/v1";

// Prefixes of our own, so that nothing else counts the Leases.
const secretLabel = "webhooks.listwatch/secret";
const certificateAnnotation = "webhooks.listwatch/certificate";
const versionAnnotation = "webhooks.listwatch/version";

/** Identity of the records of one Secret. */
export interface RecordNames {
  readonly namespace: string;
  /** Name of the Secret. */
  readonly secret: string;
  /** Unique name of this replica. */
  readonly identity: string;
  /** Name of the rules and hosts of this replica, equal in replicas that have the same ones. */
  readonly version: string;
  readonly fieldManager: string;
  readonly replicaTimeoutMs: number;
}

/** Agreement of the records of all replicas. */
export interface ReplicaAgreement {
  /** Whether every replica serves the certificate. */
  readonly isServedByAll: boolean;
  /** Whether every replica has the rules and hosts of this one. */
  readonly isOneVersion: boolean;
}

/**
 * A Lease for each replica, which names the certificate that it serves and its version. A replica
 * writes its record before it reads the Secret for the first time. So a leader that lists the
 * records after a write of the Secret sees each replica that may have read an older one.
 */
export class ReplicaRecords {
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #names: RecordNames;
  /** When this process has first seen the version of each record. */
  readonly #seen = new Map<string, { readonly version: string; readonly sinceMs: number }>();
  #written: string | undefined;
  #writtenMs = -Infinity;

  constructor(client: Client, clock: Clock, names: RecordNames) {
    this.#client = client;
    this.#clock = clock;
    this.#names = names;
  }

  /** Records the certificate that this replica serves, `""` for none yet, and renews the record. */
  async write(fingerprint: string, signal: AbortSignal): Promise<void> {
    const { fieldManager, identity, namespace, replicaTimeoutMs, secret, version } = this.#names;
    const nowMs = this.#clock.now();
    const isRecent = nowMs < this.#writtenMs + replicaTimeoutMs / 4;
    if (isRecent && fingerprint === this.#written) return;
    const record = {
      metadata: {
        namespace,
        name: this.#name,
        labels: { [secretLabel]: secret },
        annotations: { [certificateAnnotation]: fingerprint, [versionAnnotation]: version },
      },
      spec: {
        holderIdentity: identity,
        leaseDurationSeconds: Math.max(1, Math.ceil(replicaTimeoutMs / 1000)),
        // MicroTime of apimachinery has six digits.
        renewTime: new Date(nowMs).toISOString().replace("Z", "000Z"),
      },
    };
    await this.#api.apply(record, { fieldManager, force: true, signal });
    this.#written = fingerprint;
    this.#writtenMs = nowMs;
  }

  /**
   * Compares the records of all replicas. A record that has not been renewed for its time belongs
   * to a replica that has ended without removing it, and is deleted.
   */
  async compare(fingerprint: string, signal: AbortSignal): Promise<ReplicaAgreement> {
    const { namespace, replicaTimeoutMs, secret, version: own } = this.#names;
    const labelSelector = `${secretLabel}=${secret}`;
    const { items } = await this.#api.list({ namespace, labelSelector, signal });
    const names = new Set(items.map(({ metadata }) => metadata.name));
    for (const name of this.#seen.keys()) if (!names.has(name)) this.#seen.delete(name);
    let [isServedByAll, isOneVersion] = [true, true];
    for (const { metadata } of items) {
      const { annotations, name, resourceVersion: version } = metadata;
      const seen = this.#seen.get(name);
      if (seen?.version !== version) {
        this.#seen.set(name, { version, sinceMs: this.#clock.now() });
      } else if (this.#clock.now() >= seen.sinceMs + replicaTimeoutMs) {
        await this.#delete(name, version, signal);
        continue;
      }
      if (annotations?.[certificateAnnotation] !== fingerprint) isServedByAll = false;
      if (annotations?.[versionAnnotation] !== own) isOneVersion = false;
    }
    return { isServedByAll, isOneVersion };
  }

  /** Removes the record of this replica, which serves no longer. */
  async remove(signal: AbortSignal): Promise<void> {
    if (this.#writtenMs !== -Infinity) await this.#delete(this.#name, undefined, signal);
  }

  get #name(): string {
    return `${this.#names.secret}-${this.#names.identity}`;
  }

  get #api(): ResourceClient<Lease, "Namespaced", object> {
    return this.#client.resource(leases);
  }

  async #delete(
    name: string,
    resourceVersion: string | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    try {
      const key = `${this.#names.namespace}/${name}` as const;
      await this.#api.delete(key, { resourceVersion, signal });
      this.#seen.delete(name);
    } catch (error) {
      if (!isStatusError(error, "NotFound")) throw error;
    }
  }
}

import { SimulatedClock, seededRandom } from "@listwatch/core-fifo/testing";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import {
  createClient,
  createConnection,
  type Client,
  type Connection,
  type ResourceClient,
} from "@listwatch/client";
import { httpListerWatcher } from "@listwatch/reflector";
import { SharedInformer } from "@listwatch/shared-informer";

/** What the tests write and watch. */
export interface ConfigMap {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: {
    readonly namespace?: string;
    readonly name: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
    readonly ownerReferences?: readonly object[];
    readonly deletionTimestamp?: string;
  };
  readonly data?: Readonly<Record<string, string>>;
}

export const server = "http://cluster";
export const configMapReference = { group: "", version: "v1", resource: "configmaps" } as const;

/** A config map to be created as `namespace/name`. */
export function configMap(key: string, fields: Partial<ConfigMap> = {}): ConfigMap {
  const [namespace = "", name = ""] = key.split("/");
  return { ...fields, metadata: { ...fields.metadata, namespace, name } };
}

/** A fake API server on a simulated clock, a client and informers. Same seed, same history. */
export class Cluster {
  readonly clock: SimulatedClock = new SimulatedClock({ startMs: Date.UTC(2026, 0, 1) });
  readonly api: FakeApiServer;
  readonly connection: Connection;
  readonly client: Client;
  readonly configMaps: ResourceClient<ConfigMap>;
  readonly random: () => number;

  constructor(seed = 1) {
    this.api = new FakeApiServer({ clock: this.clock, seed });
    this.random = seededRandom(seed);
    this.connection = createConnection({ server, fetch: this.api.fetch });
    this.client = createClient(this.connection, { clock: this.clock });
    this.configMaps = this.client.resource<ConfigMap>(configMapReference);
  }

  /** An informer of all config maps, running until the signal. */
  informer(signal: AbortSignal): SharedInformer<ConfigMap> {
    const informer = new SharedInformer<ConfigMap>({
      name: "configmaps",
      clock: this.clock,
      listerWatcher: httpListerWatcher<ConfigMap>({
        connection: this.connection,
        resource: configMapReference,
        clock: this.clock,
      }),
    });
    void informer.run(signal);
    return informer;
  }
}

/** What a promise is rejected with; for promises that are rejected while the test goes on. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("Expected a rejection, got none");
}

/** Fails unless no timer is left. */
export function checkIdle({ pendingTimers }: SimulatedClock): void {
  if (pendingTimers > 0) throw new Error(`Expected no timer, got ${pendingTimers}`);
}

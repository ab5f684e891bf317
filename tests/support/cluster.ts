import {
  createClient,
  createConnection,
  type Client,
  type Connection,
  type ConnectionConfig,
  type ResourceClient,
} from "@listwatch/client";
import { metaNamespaceKey, type KubernetesObject } from "@listwatch/core-fifo";
import { metadataOf } from "@listwatch/core-fifo/base";
import { seededRandom, SimulatedClock } from "@listwatch/core-fifo/testing";
import { FakeApiServer, type FakeApiServerOptions } from "@listwatch/fake-apiserver";
import {
  httpListerWatcher,
  type HttpListerWatcherOptions,
  type ListerWatcher,
} from "@listwatch/reflector";
import { sourceForm } from "./object-form.ts";

/** The object that most tests write, list and watch. */
export interface ConfigMap extends KubernetesObject {
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

/** Fields that {@link Cluster.create} and {@link Cluster.update} write; null removes a label. */
interface Fields {
  readonly data?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string | null>>;
}

export const server = "http://cluster";
export const configMapReference = { group: "", version: "v1", resource: "configmaps" } as const;

const beginningMs = Date.UTC(2026, 0, 1);

/** Distinguishes requests of sources from those of the test. */
const sourceHeaders = { "x-by": "source" };

/**
 * A fake API server on a simulated clock, with a client, sources of its config maps, and the writes
 * that tests need. Keys are `namespace/name`; the namespace defaults to `default`. The same seed
 * results in the same history.
 */
export class Cluster {
  readonly clock: SimulatedClock = new SimulatedClock({ startMs: beginningMs });
  readonly api: FakeApiServer;
  readonly random: () => number;
  readonly connection: Connection;
  readonly client: Client;
  readonly configMaps: ResourceClient<ConfigMap>;

  constructor(seed = 1, options: Pick<FakeApiServerOptions, "podDeletion"> = {}) {
    const { clock } = this;
    this.api = new FakeApiServer({ clock, seed, namespaces: "permissive", ...options });
    this.random = seededRandom(seed);
    this.connection = createConnection({ server, fetch: this.api.fetch });
    this.client = createClient(this.connection, { clock: this.clock });
    this.configMaps = this.client.resource<ConfigMap>(configMapReference);
  }

  /** Lists and watches the config maps of all namespaces, or of the given one. */
  source(
    options: Partial<Omit<HttpListerWatcherOptions<ConfigMap>, "fields">> = {},
    connection: Partial<ConnectionConfig> = {},
  ): ListerWatcher<ConfigMap> {
    const asked: Partial<HttpListerWatcherOptions<ConfigMap>> = sourceForm;
    return httpListerWatcher<ConfigMap>({
      // With fields, an object is still a complete ConfigMap: all of its members are requested.
      ...(asked as Omit<typeof asked, "fields">),
      connection: createConnection({
        server,
        fetch: this.api.fetch,
        headers: sourceHeaders,
        ...connection,
      }),
      resource: configMapReference,
      clock: this.clock,
      ...options,
    });
  }

  create(key: string, { data, labels }: Fields = {}): Promise<ConfigMap> {
    const { collection, name } = pathOf(key);
    return this.#send("POST", collection, { metadata: { name, labels }, data });
  }

  update(key: string, { data, labels }: Fields): Promise<ConfigMap> {
    const { collection, name } = pathOf(key);
    const patch = { ...(labels === undefined ? {} : { metadata: { labels } }), data };
    return this.#send("PATCH", `${collection}/${name}`, patch);
  }

  async delete(key: string): Promise<void> {
    const { collection, name } = pathOf(key);
    await this.#send("DELETE", `${collection}/${name}`);
  }

  /** Returns the current state of the server: key → resourceVersion. */
  async state(labelSelector = ""): Promise<Record<string, string>> {
    const path = `/api/v1/configmaps?${new URLSearchParams({ labelSelector }).toString()}`;
    const { items } = await this.#read<{ items: readonly ConfigMap[] }>(path);
    return versionsOf(items);
  }

  /** Returns the current content of the server: key → resourceVersion, labels and data. */
  async contents(labelSelector = ""): Promise<Record<string, string>> {
    const path = `/api/v1/configmaps?${new URLSearchParams({ labelSelector }).toString()}`;
    const { items } = await this.#read<{ items: readonly ConfigMap[] }>(path);
    return contentsOf(items);
  }

  /** Returns the requests of sources as short strings such as `list 0 limit 500`. */
  requests(): string[] {
    return this.api.control.recorder.list({ headers: sourceHeaders }).map(({ verb, query }) => {
      const kind = query.has("sendInitialEvents") ? "watch-list" : verb;
      const version = query.get("resourceVersion") ?? '""';
      const limit = query.has("limit") ? ` limit ${query.get("limit")}` : "";
      return `${kind} ${query.has("continue") ? "page" : version}${limit}`;
    });
  }

  /** Returns the times of the sources' requests, in milliseconds since the clock's start. */
  requestTimes(verb: "list" | "watch"): number[] {
    return this.api.control.recorder
      .list({ headers: sourceHeaders, verb })
      .map(({ time }) => time - beginningMs);
  }

  /** Returns the times of the sources' requests for first pages. */
  firstPageTimes(): number[] {
    return this.api.control.recorder
      .list({ headers: sourceHeaders, verb: "list", query: { continue: null } })
      .map(({ time }) => time - beginningMs);
  }

  #send(method: string, path: string, body?: object): Promise<ConfigMap> {
    const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    return this.#read(path, {
      method,
      headers: { "content-type": type },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async #read<T>(path: string, init: RequestInit = {}): Promise<T> {
    const response = await this.api.fetch(new Request(server + path, init));
    const text = await response.text();
    if (!response.ok)
      throw new Error(`${init.method ?? "GET"} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  }
}

/** A config map with the key `namespace/name`. */
export function configMap(key: string, fields: Partial<ConfigMap> = {}): ConfigMap {
  const [namespace = "", name = ""] = key.split("/");
  return { ...fields, metadata: { ...fields.metadata, namespace, name } };
}

/** Maps objects from key to resourceVersion. */
export function versionsOf(objects: Iterable<KubernetesObject>): Record<string, string> {
  return Object.fromEntries(
    Array.from(objects, (object) => [
      metaNamespaceKey(object),
      metadataOf(object)?.resourceVersion ?? "",
    ]),
  );
}

/** Maps config maps from key to content: a restored storage may reach equal versions again. */
export function contentsOf(objects: Iterable<ConfigMap>): Record<string, string> {
  return Object.fromEntries(
    Array.from(objects, (object) => [metaNamespaceKey(object), describeContent(object)]),
  );
}

/** Returns the resourceVersion of a config map with its labels and data. */
export function describeContent({ data = {}, metadata }: ConfigMap): string {
  const { labels = {}, resourceVersion = "" } = metadata;
  const members = [...Object.entries(labels), ...Object.entries(data)];
  return [resourceVersion, ...members.map(([name, value]) => `${name}=${value}`).toSorted()].join(
    " ",
  );
}

/** Returns the rejection of a promise, which may reject before it is awaited. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("Expected a rejection, got none");
}

export function checkIdle({ pendingTimers }: SimulatedClock): void {
  if (pendingTimers > 0) throw new Error(`Expected no timer, got ${pendingTimers}`);
}

function pathOf(key: string): { collection: string; name: string } {
  const [name = "", namespace = "default"] = key.split("/").toReversed();
  return { collection: `/api/v1/namespaces/${namespace}/configmaps`, name };
}

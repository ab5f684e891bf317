import { createConnection } from "@listwatch/client";
import { SimulatedClock, seededRandom } from "@listwatch/core-fifo/testing";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { httpListerWatcher, type ListerWatcher } from "@listwatch/reflector";

/** What the tests list and watch. */
export interface ConfigMap {
  readonly metadata: {
    readonly namespace: string;
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly data?: Readonly<Record<string, string>>;
}

const server = "http://cluster";

/** A fake API server on a simulated clock, with the writes that tests need. Same seed, same history. */
export class Cluster {
  readonly clock: SimulatedClock = new SimulatedClock({ startMs: Date.UTC(2026, 0, 1) });
  readonly api: FakeApiServer;
  readonly random: () => number;

  constructor(seed = 1) {
    this.api = new FakeApiServer({ clock: this.clock, seed });
    this.random = seededRandom(seed);
  }

  /** The config maps of a namespace, or of all. */
  configMaps(options: { readonly namespace?: string } = {}): ListerWatcher<ConfigMap> {
    return httpListerWatcher<ConfigMap>({
      ...options,
      connection: createConnection({ server, fetch: this.api.fetch }),
      resource: { group: "", version: "v1", resource: "configmaps" },
      clock: this.clock,
    });
  }

  /** Creates `namespace/name`. */
  create(key: string, fields: Partial<Pick<ConfigMap, "data">> & Labels = {}): Promise<ConfigMap> {
    const [namespace = "", name] = key.split("/");
    const { data, labels } = fields;
    return this.#send("POST", `${namespace}/configmaps`, { metadata: { name, labels }, data });
  }

  update(key: string, fields: Partial<Pick<ConfigMap, "data">> & Labels): Promise<ConfigMap> {
    const { data, labels } = fields;
    const patch = { ...(labels === undefined ? {} : { metadata: { labels } }), data };
    return this.#send("PATCH", key.replace("/", "/configmaps/"), patch);
  }

  delete(key: string): Promise<unknown> {
    return this.#send("DELETE", key.replace("/", "/configmaps/"));
  }

  /** What the server has now: key → resourceVersion. */
  async state(labelSelector = ""): Promise<Record<string, string>> {
    const path = `/api/v1/configmaps?${new URLSearchParams({ labelSelector }).toString()}`;
    const { items } = await this.#read<{ items: ConfigMap[] }>(path);
    return versionsOf(items);
  }

  async #send(method: string, path: string, body?: unknown): Promise<ConfigMap> {
    const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    return this.#read(`/api/v1/namespaces/${path}`, {
      method,
      headers: { "content-type": type },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async #read<T>(path: string, init?: RequestInit): Promise<T> {
    const response = await this.api.fetch(new Request(server + path, init));
    const answer = (await response.json()) as T;
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer;
  }
}

interface Labels {
  readonly labels?: Readonly<Record<string, string | null>>;
}

/** Objects as key → resourceVersion. */
export function versionsOf(objects: readonly ConfigMap[]): Record<string, string> {
  return Object.fromEntries(
    objects.map(({ metadata }) => [
      `${metadata.namespace}/${metadata.name}`,
      metadata.resourceVersion,
    ]),
  );
}

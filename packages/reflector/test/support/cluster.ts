import { createConnection, type ConnectionConfig } from "@listwatch/client";
import { metadataOf, metaNamespaceKey, type KubernetesObject } from "@listwatch/core-fifo";
import { seededRandom, SimulatedClock } from "@listwatch/core-fifo/testing";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import {
  httpListerWatcher,
  Reflector,
  type HttpListerWatcherOptions,
  type ListerWatcher,
  type ReflectorErrorContext,
  type ReflectorOptions,
  type ReflectorStore,
} from "@listwatch/reflector";

/** The object most tests use. */
export interface ConfigMap extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
}

const collection = "http://fake/api/v1/namespaces/default/configmaps";

const beginningMs = Date.UTC(2026, 0, 1);

/** Tells the requests of the reflector from those of the test. */
const byReflector = { "x-by": "reflector" };

/** A fake API server under a simulated clock, and hands to change its config maps with. */
export class Cluster {
  readonly clock: SimulatedClock = new SimulatedClock({ startMs: beginningMs });
  readonly api: FakeApiServer;

  constructor(seed = 1) {
    this.api = new FakeApiServer({ clock: this.clock, seed });
  }

  async create(name: string, data: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.#send("POST", collection, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name },
      data,
    });
  }

  async update(name: string, data: Readonly<Record<string, string>>): Promise<void> {
    await this.#send("PATCH", `${collection}/${name}`, { data });
  }

  async delete(name: string): Promise<void> {
    await this.#send("DELETE", `${collection}/${name}`);
  }

  /** Key and resourceVersion of everything there is. */
  async state(): Promise<Record<string, string>> {
    const response = await this.api.fetch(new Request(collection));
    const { items } = (await response.json()) as { items: readonly ConfigMap[] };
    return stateOf(items);
  }

  source(
    options: Partial<HttpListerWatcherOptions<ConfigMap>> = {},
    connection: Partial<ConnectionConfig> = {},
  ): ListerWatcher<ConfigMap> {
    return httpListerWatcher<ConfigMap>({
      connection: createConnection({
        server: "http://fake",
        fetch: this.api.fetch,
        headers: byReflector,
        ...connection,
      }),
      resource: { group: "", version: "v1", resource: "configmaps" },
      clock: this.clock,
      ...options,
    });
  }

  /** The reflector's requests so far, each as a short text such as `list 0 limit 500`. */
  requests(): string[] {
    return this.api.control.recorder.list({ headers: byReflector }).map(({ verb, query }) => {
      const kind = query.has("sendInitialEvents") ? "watch-list" : verb;
      const version = query.get("resourceVersion") ?? '""';
      const limit = query.has("limit") ? ` limit ${query.get("limit")}` : "";
      return `${kind} ${query.has("continue") ? "page" : version}${limit}`;
    });
  }

  /** When the reflector's requests were made, in milliseconds since the clock's beginning. */
  requestTimes(verb: "list" | "watch"): number[] {
    return this.api.control.recorder
      .list({ headers: byReflector, verb })
      .map(({ time }) => time - beginningMs);
  }

  /** When the reflector asked for lists, their later pages not counted. */
  firstPageTimes(): number[] {
    return this.api.control.recorder
      .list({ headers: byReflector, verb: "list", query: { continue: null } })
      .map(({ time }) => time - beginningMs);
  }

  async #send(method: string, url: string, body?: object): Promise<void> {
    const response = await this.api.fetch(
      new Request(url, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        headers: {
          "content-type": method === "PATCH" ? "application/merge-patch+json" : "application/json",
        },
      }),
    );
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  }
}

/** Key and resourceVersion of each object. */
export function stateOf(objects: Iterable<KubernetesObject>): Record<string, string> {
  return Object.fromEntries(
    Array.from(objects, (object) => [
      metaNamespaceKey(object),
      metadataOf(object)?.resourceVersion ?? "",
    ]),
  );
}

/** A store that keeps what it gets, and notes each call. */
export class MapStore<T extends KubernetesObject = ConfigMap> implements ReflectorStore<T> {
  readonly objects = new Map<string, T>();
  readonly calls: string[] = [];
  /** Throws for these calls, without effect. */
  fail: (call: string) => boolean = () => false;

  add(object: T): void {
    this.#upsert("add", object);
  }

  update(object: T): void {
    this.#upsert("update", object);
  }

  delete(object: T): void {
    this.#note(`delete ${metaNamespaceKey(object)}`);
    this.objects.delete(metaNamespaceKey(object));
  }

  replace(objects: readonly T[], resourceVersion: string): void {
    this.#note(`replace ${objects.length} at ${resourceVersion}`);
    this.objects.clear();
    for (const object of objects) this.objects.set(metaNamespaceKey(object), object);
  }

  resync(): void {
    this.#note("resync");
  }

  bookmark(resourceVersion: string): void {
    this.#note(`bookmark ${resourceVersion}`);
  }

  state(): Record<string, string> {
    return stateOf(this.objects.values());
  }

  #upsert(method: string, object: T): void {
    this.#note(`${method} ${metaNamespaceKey(object)}`);
    this.objects.set(metaNamespaceKey(object), object);
  }

  #note(call: string): void {
    this.calls.push(call);
    if (this.fail(call)) throw new Error(`refused ${call}`);
  }
}

/** A failure as the reflector reported it. */
interface ReportedFailure extends ReflectorErrorContext {
  readonly error: unknown;
}

/** A reflector at work. */
export interface Running<T extends KubernetesObject> {
  readonly reflector: Reflector<T>;
  readonly store: MapStore<T>;
  readonly errors: ReportedFailure[];
  /** Settles with the run. */
  readonly ended: Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Options of {@link start}: those of a reflector that differ from the usual. */
export type StartOptions<T extends KubernetesObject = ConfigMap> = Partial<
  Omit<ReflectorOptions<T>, "listerWatcher" | "store">
> & { readonly store?: MapStore<T> };

/** Starts a reflector, and lets it do what it does at once. */
export async function start<T extends KubernetesObject = ConfigMap>(
  clock: SimulatedClock,
  listerWatcher: ListerWatcher<T>,
  options: StartOptions<T> = {},
): Promise<Running<T>> {
  const store = options.store ?? new MapStore<T>();
  const errors: ReportedFailure[] = [];
  const reflector = new Reflector<T>({
    random: seededRandom(1),
    clock,
    listerWatcher,
    ...options,
    store,
    onError: (error, context) => {
      errors.push({ error, ...context });
      return options.onError?.(error, context);
    },
  });
  const controller = new AbortController();
  const ended = reflector.run(controller.signal);
  ended.catch(() => undefined);
  await clock.settle();
  return {
    reflector,
    store,
    errors,
    ended,
    stop: async () => {
      controller.abort();
      await ended;
    },
  };
}

import {
  CoreV1Api,
  KubeConfig,
  makeInformer as makeTheirs,
  type Informer,
  type ListPromise,
  type ObjectCache,
  type V1ConfigMap,
} from "@kubernetes/client-node";
import { makeInformer as makeOurs, type DropInOptions } from "@listwatch/client-node";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import type { FetchHandler, Listener } from "@listwatch/fake-apiserver/node";

export const runtime = "Deno" in globalThis ? "deno" : "Bun" in globalThis ? "bun" : "node";

/** Listens with the adapter of the current runtime. */
export async function listenHere(server: FetchHandler, tls = false): Promise<Listener> {
  const adapters = {
    deno: () => import("@listwatch/fake-apiserver/deno"),
    bun: () => import("@listwatch/fake-apiserver/bun"),
    node: () => import("@listwatch/fake-apiserver/node"),
  };
  const adapter = await adapters[runtime]();
  return adapter.listen(server, { tls });
}

/** The interface that both implementations share. */
export type AnyInformer = Informer<V1ConfigMap> & ObjectCache<V1ConfigMap>;

/** `makeInformer` of either package. */
export type Make = (
  config: KubeConfig,
  path: string,
  list: ListPromise<V1ConfigMap>,
  labelSelector?: string,
  options?: DropInOptions,
) => AnyInformer;

/** Short pauses, so that tests do not wait. */
const quick: DropInOptions = { retry: { backoff: { baseMs: 20, capMs: 100 } } };

/** `ours` holds options that only listwatch has. */
export const implementations: readonly {
  readonly name: "client-node" | "listwatch";
  make: Make;
}[] = [
  {
    name: "client-node",
    make: (config, path, list, selector) => makeTheirs(config, path, list, selector),
  },
  {
    name: "listwatch",
    make: (config, path, list, selector, options) =>
      makeOurs(config, path, list, selector, { ...quick, ...options }),
  },
];

export const namespace = "default";
export const path = `/api/v1/namespaces/${namespace}/configmaps`;

interface Fields {
  readonly data?: Record<string, string>;
  readonly labels?: Record<string, string>;
}

/** A server on a socket, with a client of client-node. */
export class World implements AsyncDisposable {
  readonly server: FakeApiServer;
  readonly config: KubeConfig;
  readonly api: CoreV1Api;
  readonly #listener: Listener;
  readonly #stops: (() => Promise<unknown>)[] = [];

  private constructor(server: FakeApiServer, listener: Listener) {
    this.server = server;
    this.#listener = listener;
    this.config = configFor(listener.url);
    this.api = this.config.makeApiClient(CoreV1Api);
  }

  static async create(): Promise<World> {
    const server = new FakeApiServer({ seed: 1 });
    return new World(server, await listenHere(server));
  }

  readonly listAll: ListPromise<V1ConfigMap> = () =>
    this.api.listNamespacedConfigMap({ namespace });

  async add(name: string, { data, labels }: Fields = {}): Promise<void> {
    const body = { metadata: { name, ...(labels && { labels }) }, ...(data && { data }) };
    await this.api.createNamespacedConfigMap({ namespace, body });
  }

  async change(name: string, data: Record<string, string>): Promise<void> {
    const body = { metadata: { name }, data };
    await this.api.replaceNamespacedConfigMap({ namespace, name, body });
  }

  async remove(name: string): Promise<void> {
    await this.api.deleteNamespacedConfigMap({ namespace, name });
  }

  /** Makes an informer that is stopped at the end, and records its callbacks. */
  watch(
    make: Make,
    options: { labelSelector?: string; list?: ListPromise<V1ConfigMap>; ours?: DropInOptions } = {},
  ): Watched {
    const { labelSelector, list = this.listAll, ours } = options;
    const watched = new Watched(make(this.config, path, list, labelSelector, ours));
    this.#stops.push(() => watched.informer.stop());
    return watched;
  }

  requests(verb: "list" | "watch"): number {
    return this.server.control.recorder.list({ verb, resource: "configmaps" }).length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const stop of this.#stops) await stop();
    await this.#listener.close();
  }
}

export function configFor(server: string): KubeConfig {
  const config = new KubeConfig();
  config.loadFromClusterAndUser({ name: "fake", server, skipTLSVerify: true }, { name: "fake" });
  return config;
}

/** Records the callbacks of an informer and waits for them. */
export class Watched {
  readonly informer: AnyInformer;
  /** For example `add a`, `connect` and `error 410`. */
  readonly calls: string[] = [];
  readonly objects: V1ConfigMap[] = [];
  readonly errors: unknown[] = [];
  readonly #waits = new Set<() => void>();

  constructor(informer: AnyInformer) {
    this.informer = informer;
    for (const verb of ["add", "update", "delete"] as const) {
      informer.on(verb, (object) => {
        this.objects.push(object);
        this.#note(`${verb} ${object.metadata?.name}`);
      });
    }
    informer.on("connect", (...values: unknown[]) => {
      const isSilent = values.every((value) => value === undefined);
      this.#note(isSilent ? "connect" : `connect ${JSON.stringify(values)}`);
    });
    informer.on("error", (error: unknown) => {
      this.errors.push(error);
      this.#note(`error ${codeOf(error)}`);
    });
  }

  #note(call: string): void {
    this.calls.push(call);
    for (const check of this.#waits) check();
  }

  /** Resolves when a call at position `from` or later starts with `call`. */
  async until(call: string, from = 0): Promise<void> {
    const isThere = (): boolean => this.calls.slice(from).some((each) => each.startsWith(call));
    if (isThere()) return;
    await new Promise<void>((resolve) => {
      const check = (): void => {
        if (!isThere()) return;
        this.#waits.delete(check);
        resolve();
      };
      this.#waits.add(check);
    });
  }

  get changes(): readonly string[] {
    return this.calls.filter((call) => /^(add|update|delete) /.test(call));
  }

  get names(): readonly string[] {
    return this.informer
      .list(namespace)
      .map(({ metadata }) => metadata?.name ?? "")
      .toSorted();
  }
}

function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return String(error);
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  const known = [statusCode, code].find((value) => typeof value === "number");
  return known === undefined ? (error as Error).message : String(known);
}

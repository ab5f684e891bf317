import {
  createClient,
  isAlreadyExists,
  isNetworkError,
  isNotFound,
  isStatusError,
  type Client,
  type Connection,
} from "@listwatch/client";
import { seededRandom } from "@listwatch/core-fifo/testing";
import { sleep } from "@listwatch/core-fifo";
import { resourceVersionOf } from "@listwatch/core-fifo/base";
import type { ChangeAges } from "./change-ages.ts";

const core = { group: "", version: "v1" } as const;
const namespaces = { ...core, resource: "namespaces" };
const accounts = { ...core, resource: "serviceaccounts" };
const pods = { ...core, resource: "pods" };

const burstSize = 20;
/** Pods that there are about. */
const usualPods = 8;
const stepMs = 700;
/** How long the end waits for a server that does not answer. */
const removalTimeoutMs = 10_000;
const creators = { "created-by": "listwatch-demo" };
const steps = ["build", "test", "release"];

interface Pod {
  readonly metadata: {
    readonly namespace: string;
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
  };
  readonly spec: object;
}

/** Options of a {@link GuestWorkload}. */
export interface GuestWorkloadOptions {
  readonly seed: number;
  /** Called with what the user should know. */
  readonly note: (text: string) => void;
  readonly ages: ChangeAges;
}

/**
 * What the demo does on a cluster that is not its own: pods that come, change and go in a namespace
 * that it makes and deletes. They have a scheduling gate, so that no scheduler takes them: nothing
 * is started.
 */
export class GuestWorkload {
  readonly namespace: string;
  readonly #client: Client;
  readonly #random: () => number;
  readonly #note: (text: string) => void;
  readonly #ages: ChangeAges;
  /** Names, oldest first. */
  readonly #pods: string[] = [];
  /** Of the namespace: whether it was asked for, and whether pods can be made in it. */
  #state: "missing" | "asked for" | "there" = "missing";
  #created = 0;

  constructor(connection: Connection, options: GuestWorkloadOptions) {
    const { seed, note, ages } = options;
    // Several demos may run on one cluster: no two of them share a namespace.
    this.namespace = `listwatch-demo-${crypto.randomUUID().slice(0, 8)}`;
    this.#client = createClient(connection, { retries: 0, fieldManager: "listwatch-demo" });
    this.#random = seededRandom(seed);
    this.#note = note;
    this.#ages = ages;
  }

  /** Makes the namespace, and changes until the signal aborts. Never rejects: it says what failed. */
  async run(signal: AbortSignal): Promise<void> {
    let said = "";
    while (!signal.aborted) {
      try {
        if (this.#state === "there") await this.#step();
        else await this.#createNamespace();
        said = "";
      } catch (error) {
        // That the server is away the informer says.
        const text = isNetworkError(error) ? "" : describe(error);
        if (text !== said && text !== "") this.#note(`Cannot change anything here: ${text}`);
        said = text;
        if (isStatusError(error, "Forbidden") && this.#state === "missing") return;
      }
      await sleep(stepMs * (0.5 + this.#random()), { signal }).catch(() => {});
    }
  }

  /** Whether pods can be made. */
  get isReady(): boolean {
    return this.#state === "there";
  }

  /** Makes many pods at once; the steps after it take them away. Resolves with their number. */
  async burst(): Promise<number> {
    await Promise.all(Array.from({ length: burstSize }, () => this.#createPod()));
    return burstSize;
  }

  /**
   * Deletes the namespace and what is in it. Resolves with whether there was anything to delete.
   *
   * @throws the error of the server, when the namespace may still be there
   */
  async remove(): Promise<boolean> {
    if (this.#state === "missing") return false;
    const { namespace } = this;
    const options = { timeoutMs: removalTimeoutMs, retries: 3 };
    try {
      // Where no controller empties namespaces, nothing else would do it.
      await this.#client.resource(pods).deleteCollection({ namespace, all: true, ...options });
      await this.#client.resource(namespaces).delete(namespace, options);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    this.#state = "missing";
    return true;
  }

  async #createNamespace(): Promise<void> {
    const { namespace } = this;
    // From here on it may be there, also if the answer is lost.
    const before = this.#state;
    this.#state = "asked for";
    try {
      const metadata = { name: namespace, labels: creators };
      await this.#client.resource(namespaces).create({ metadata });
    } catch (error) {
      const isRefused = isStatusError(error) || isNetworkError(error, "connection-refused");
      if (isRefused && !isAlreadyExists(error)) this.#state = before;
      if (!isAlreadyExists(error)) throw error;
    }
    // Pods are refused before it is there. A cluster's controllers make it, maybe a moment later.
    const account = { metadata: { namespace, name: "default" } };
    await this.#client
      .resource(accounts)
      .create(account)
      .catch((error: unknown) => {
        if (!isAlreadyExists(error)) throw error;
      });
    this.#state = "there";
    this.#note(`Makes pods in the namespace ${namespace}, which goes at the end`);
  }

  /** One change: a pod comes, takes its next step, or goes. */
  async #step(): Promise<void> {
    const { length } = this.#pods;
    const choice = this.#random() * usualPods;
    if (choice > length) return this.#createPod();
    const index = Math.floor(this.#random() * length);
    const name = this.#pods[index] ?? "";
    const key = `${this.namespace}/${name}` as const;
    try {
      if (length > usualPods || this.#random() < 0.4) {
        this.#pods.splice(index, 1);
        await this.#client.resource(pods).delete(key);
      } else {
        const step = steps[Math.floor(this.#random() * steps.length)];
        const change = { metadata: { labels: { step } } };
        await this.#timed(() => this.#client.resource<Pod>(pods).patch(key, change));
      }
    } catch (error) {
      // A user with kubectl was faster.
      if (!isNotFound(error)) throw error;
      const at = this.#pods.indexOf(name);
      if (at !== -1) this.#pods.splice(at, 1);
    }
  }

  async #createPod(): Promise<void> {
    const name = `guest-${++this.#created}`;
    const metadata = { namespace: this.namespace, name, labels: creators };
    const spec = {
      containers: [{ name: "main", image: "example.com/never" }],
      schedulingGates: [{ name: "example.com/never" }],
    };
    await this.#timed(() => this.#client.resource<Pod>(pods).create({ metadata, spec }));
    this.#pods.push(name);
  }

  async #timed(write: () => Promise<Pod>): Promise<void> {
    const sentMs = Date.now();
    const version = resourceVersionOf(await write());
    if (version !== undefined) this.#ages.noteWrite(version, sentMs);
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

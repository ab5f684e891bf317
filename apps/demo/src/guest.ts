import { createClient, isAlreadyExists, isNetworkError, isNotFound } from "listwatch";
import { isStatusError, type Client, type Connection } from "listwatch";
import { namespaces, pods, serviceaccounts } from "listwatch/resources/core/v1";
import { errorMessage } from "./arguments.ts";
import { writtenNow } from "./event-feed.ts";
import { PodLives, type Stage, type Step } from "./pod-lives.ts";

const usualPods = 6;
const burstSize = 20;
/** How long the end waits for a server that does not answer. */
const removalTimeoutMs = 10_000;
const labels = { "created-by": "listwatch-demo" };

/**
 * Pods that come, change and go on a real cluster, in a namespace that the demo creates and
 * deletes. They have a scheduling gate, so that no scheduler takes them: nothing is started.
 */
export class Guest {
  // Several demos can run on one cluster: no two of them share a namespace.
  readonly namespace: string = `listwatch-demo-${crypto.randomUUID().slice(0, 8)}`;
  /** Whether pods can be created. */
  isReady = false;
  readonly #stage: Stage;
  readonly #client: Client;
  readonly #lives: PodLives;
  /** Whether the namespace may exist. */
  #isAsked = false;
  #created = 0;

  constructor(stage: Stage, connection: Connection) {
    const { clock } = stage;
    this.#stage = stage;
    this.#client = createClient(connection, { clock, retries: 0, fieldManager: "listwatch-demo" });
    this.#lives = new PodLives(stage);
  }

  /** Creates the namespace and its pods until the demo ends; never rejects. */
  async run(): Promise<void> {
    const preparation: Step = [300, 2000, () => this.#createNamespace()];
    while (!this.#stage.signal.aborted && !this.isReady) await this.#lives.run([preparation]);
    const lives = Array.from({ length: usualPods }, () => this.#lives.repeat(() => this.#life()));
    await Promise.all(lives);
  }

  /** Creates many pods at once, which go later; resolves with their number. */
  burst(): Promise<number> {
    return this.#lives.burst(burstSize, () => this.#life());
  }

  /** Deletes the namespace with its pods; resolves with the failures. */
  async remove(print: (line: string) => void): Promise<string[]> {
    const { namespace } = this;
    if (!this.#isAsked) return [];
    const options = { timeoutMs: removalTimeoutMs, retries: 3 };
    try {
      // A cluster without a namespace controller would keep them.
      await this.#client.resource(pods).deleteCollection({ namespace, all: true, ...options });
      await this.#client.resource(namespaces).delete(namespace, options);
    } catch (error) {
      const failure = `the namespace ${namespace} may be left behind: ${errorMessage(error)}`;
      if (!isNotFound(error)) return [failure];
    }
    print(`Deleted the namespace ${namespace}`);
    return [];
  }

  async #createNamespace(): Promise<void> {
    const { namespace } = this;
    const accept = (error: unknown): void => {
      if (!isAlreadyExists(error)) throw error;
    };
    const metadata = { name: namespace, labels };
    const created = this.#client.resource(namespaces).create({ metadata });
    await created.catch((error: unknown) => {
      // The response of a request that worked can be lost.
      this.#isAsked ||= !isStatusError(error) && !isNetworkError(error, "connection-refused");
      accept(error);
    });
    this.#isAsked = true;
    // Pods are refused without it; the controllers of the cluster may create it later.
    const account = { metadata: { namespace, name: "default" } };
    await this.#client.resource(serviceaccounts).create(account).catch(accept);
    this.isReady = true;
    this.#stage.note(`Makes pods in the namespace ${namespace}, which goes at the end`);
  }

  #life(): readonly Step[] {
    const { namespace } = this;
    const resource = this.#client.resource(pods);
    const name = `guest-${++this.#created}`;
    const key = `${namespace}/${name}` as const;
    const metadata = (step: string) => {
      return { labels: { ...labels, step }, annotations: writtenNow(this.#stage.clock) };
    };
    const containers = [{ name: "main", image: "example.com/never" }];
    const spec = { containers, schedulingGates: [{ name: "example.com/never" }] };
    const create = () => {
      return resource.create({ metadata: { namespace, name, ...metadata("new") }, spec });
    };
    const change = (step: string) => resource.patch(key, { metadata: metadata(step) });
    return [
      [300, 1500, create],
      [1000, 5000, () => change("build")],
      [1000, 5000, () => change("test")],
      [1000, 5000, () => change("release")],
      [1000, 5000, () => resource.delete(key)],
    ];
  }
}

import { createClient, createConnection, systemClock, type Connection } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { pods, type Pod } from "listwatch/resources/core/v1";

/** Places for pods that come and go; each is one square of the picture. */
export const placeCount = 36;
export const manyCount = 10_000;
/** Label with the place of a pod. */
export const placeLabel = "place";
/** Namespaces of the pods with a place, and of the many. */
export const namespace = "shop";
const manyNamespace = "load-test";

/** Pods that one request deletes. A watch that falls too far behind would be refused. */
const batchSize = 500;
const pauseMs = 160;
/** Time in which many pods are created before others have a turn. */
const turnMs = 8;
const firstPods = 30;

export type ChangeKind = "add" | "update" | "delete";

/** Number of the many pods for which one is reported. */
export const reportedOf = 100;

/** Called with a write, its object, and the number of writes for which it stands. */
export type WriteListener = (kind: ChangeKind, pod: Pod, writes: number) => void;

const manyUrl = `http://cluster/api/v1/namespaces/${manyNamespace}/pods`;
const container = { name: "main", image: "example.com/shop:1.0" };

/** A fake API server with pods that change several times a second. */
export class SimulatedCluster {
  readonly server: FakeApiServer = new FakeApiServer({
    bootstrap: "namespaces",
    namespaces: "permissive",
    podDeletion: "instant",
    validation: "off",
  });
  readonly connection: Connection = createConnection({
    server: "http://cluster",
    fetch: this.server.fetch,
  });
  /** Answered creations of {@link SimulatedCluster.addMany}, without the deleted ones. */
  many = 0;
  readonly #client = createClient(this.connection, { retries: 0 }).resource(pods);
  readonly #places = new Map<number, Pod>();
  /** Those of the many pods that were reported. */
  readonly #reported: Pod[] = [];
  readonly #onWrite: WriteListener;
  #serial = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(onWrite: WriteListener) {
    this.#onWrite = onWrite;
  }

  /** Pods that the server has by its answers. */
  get count(): number {
    return this.#places.size + this.many;
  }

  phaseAt(place: number): string | undefined {
    const pod = this.#places.get(place);
    return pod && (pod.status?.phase ?? "Pending");
  }

  /** Fills most places with running pods. */
  async setUp(): Promise<void> {
    for (let place = 0; place < firstPods; place++) {
      await this.#create(place);
      await this.#report(place, "Running");
    }
  }

  /** Changes pods until `stop`. */
  start(): void {
    this.#timer ??= setTimeout(() => void this.#turn(), pauseMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async addMany(): Promise<void> {
    let turnEndMs = performance.now() + turnMs;
    while (this.many < manyCount) {
      const response = await this.#createOneOfMany();
      this.many++;
      if (this.many % reportedOf === 0) {
        const pod = (await response.json()) as Pod;
        this.#reported.push(pod);
        this.#onWrite("add", pod, reportedOf);
      }
      if (performance.now() < turnEndMs) continue;
      await systemClock.nextTurn();
      turnEndMs = performance.now() + turnMs;
    }
  }

  /** Deletes the many pods in batches, each after the promise that `settle` returns. */
  async removeMany(settle: () => Promise<void>): Promise<void> {
    while (this.many > 0) {
      const batch = Math.floor((this.many - 1) / batchSize);
      // Deletions reach the watch before the answer to the request.
      const reported = this.#reported.splice((batch * batchSize) / reportedOf);
      for (const pod of reported) this.#onWrite("delete", pod, reportedOf);
      const options = { labelSelector: `batch=${batch}`, gracePeriodSeconds: 0 };
      await this.#client.deleteCollection({ namespace: manyNamespace, ...options });
      this.many = batch * batchSize;
      await settle();
    }
  }

  /** Without the client, which would parse 10,000 answers that are not used. */
  async #createOneOfMany(): Promise<Response> {
    const batch = String(Math.floor(this.many / batchSize));
    const metadata = { name: `many-${this.many}`, labels: { batch } };
    const response = await this.server.fetch(manyUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ metadata, spec: { containers: [container] } }),
    });
    if (!response.ok) throw new Error(`Couldn't create a pod: ${await response.text()}`);
    return response;
  }

  async #turn(): Promise<void> {
    await this.#change();
    if (this.#timer === undefined) return;
    this.#timer = undefined;
    this.start();
  }

  /** Changes one pod: a creation, the next phase, or a deletion. */
  async #change(): Promise<void> {
    const place = Math.floor(Math.random() * placeCount);
    const phase = this.phaseAt(place);
    if (phase === undefined) return this.#create(place);
    if (phase === "Pending") return this.#report(place, "Running");
    // Most pods of a cluster run.
    const chance = Math.random();
    if (phase === "Failed" || chance < 0.2) return this.#delete(place);
    return chance < 0.3 ? this.#report(place, "Failed") : this.#change();
  }

  async #create(place: number): Promise<void> {
    const name = `web-${this.#serial++}`;
    const metadata = { namespace, name, labels: { [placeLabel]: String(place) } };
    const pod = await this.#client.create({ metadata, spec: { containers: [container] } });
    this.#places.set(place, pod);
    this.#onWrite("add", pod, 1);
  }

  async #report(place: number, phase: "Running" | "Failed"): Promise<void> {
    const pod = await this.#client.patchStatus(this.#keyAt(place), { status: { phase } });
    this.#places.set(place, pod);
    this.#onWrite("update", pod, 1);
  }

  async #delete(place: number): Promise<void> {
    const pod = this.#places.get(place);
    // The deletion reaches the watch before the answer to the request.
    if (pod !== undefined) this.#onWrite("delete", pod, 1);
    await this.#client.delete(this.#keyAt(place), { gracePeriodSeconds: 0 });
    this.#places.delete(place);
  }

  #keyAt(place: number): `${string}/${string}` {
    return `${namespace}/${this.#places.get(place)?.metadata?.name ?? ""}`;
  }
}

import { TimeBudget } from "@listwatch/core-fifo/base";
import { podManifest } from "./pod-states.ts";

type Fetch = (request: Request) => Promise<Response>;

const namespace = "many";
/** Pods that one request removes; more would hold up the screen. */
const batchSize = 250;

/**
 * Very many pods on a server in this process, in a namespace of their own. They are made past the
 * network, which would be what the time goes to.
 */
export class ManyPods {
  readonly #fetch: Fetch;
  #made = 0;

  constructor(fetch: Fetch) {
    this.#fetch = fetch;
  }

  /** How many there are. */
  get made(): number {
    return this.#made;
  }

  /**
   * Makes pods, in slices that leave the event loop to others.
   *
   * @throws when the server refuses one, and the signal's reason when it is aborted
   */
  async make(total: number, signal: AbortSignal): Promise<void> {
    await this.#send("POST", "/api/v1/namespaces", { metadata: { name: namespace } }, [409]);
    const budget = new TimeBudget();
    while (this.#made < total) {
      await this.#send("POST", `/api/v1/namespaces/${namespace}/pods`, manifest(this.#made));
      this.#made++;
      if (budget.count()) await budget.nextTurn();
      signal.throwIfAborted();
    }
  }

  /** Removes them all; throws as {@link ManyPods.make} does. */
  async remove(signal: AbortSignal): Promise<void> {
    const options = { kind: "DeleteOptions", apiVersion: "v1", gracePeriodSeconds: 0 };
    const budget = new TimeBudget({ maxItems: 1 });
    while (this.#made > 0) {
      const batch = batchOf(this.#made - 1);
      const path = `/api/v1/namespaces/${namespace}/pods?labelSelector=batch%3D${batch}`;
      await this.#send("DELETE", path, options);
      this.#made = batch * batchSize;
      await budget.nextTurn();
      signal.throwIfAborted();
    }
  }

  async #send(
    method: string,
    path: string,
    body: object,
    accepted: readonly number[] = [],
  ): Promise<void> {
    const headers = { "content-type": "application/json" };
    // Any host: the server looks at the path only.
    const url = `http://localhost${path}`;
    const request = new Request(url, { method, headers, body: JSON.stringify(body) });
    const response = await this.#fetch(request);
    if (response.ok || accepted.includes(response.status)) return;
    const text = await response.text();
    throw new Error(`Cannot ${method} ${path}: ${text.slice(0, 200)}`);
  }
}

function batchOf(index: number): number {
  return Math.floor(index / batchSize);
}

function manifest(index: number): object {
  return podManifest({
    namespace,
    name: `many-${index}`,
    labels: { app: "many", batch: String(batchOf(index)) },
    container: "main",
    image: "example.com/many:1.0",
    port: undefined,
    node: "",
    hostIP: "",
    podIP: "",
  });
}

import { sleep, systemClock } from "@listwatch/core-fifo";
import { isRecord } from "@listwatch/core-fifo/base";
import type { ChangeAges } from "./change-ages.ts";
import type { Cluster } from "./cluster.ts";
import type { Operation } from "./operation.ts";

// As many as a small cluster's components have under way at a time; a burst does not open hundreds
// of sockets.
const maxConcurrent = 8;

/** Sends what happens in a {@link Cluster} to an API server over HTTP, at the time it is due. */
export class ClusterDriver {
  readonly #cluster: Cluster;
  readonly #server: string;
  readonly #ages: ChangeAges;

  constructor(cluster: Cluster, server: string, ages: ChangeAges) {
    this.#cluster = cluster;
    this.#server = server;
    this.#ages = ages;
  }

  /** Fills the empty server. */
  async setUp(signal: AbortSignal): Promise<void> {
    for (const operation of this.#cluster.setUp()) await this.#send(operation, signal);
  }

  /** Keeps the cluster moving; ends without an error on abort. */
  async run(signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted) {
        const now = systemClock.now();
        await this.#sendAll(this.#cluster.advance(now), signal);
        await sleep(Math.max(10, Math.min(this.#cluster.nextDueMs - now, 200)), { signal });
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** Starts `size` pods at once. */
  async burst(size: number, signal: AbortSignal): Promise<void> {
    await this.#sendAll(this.#cluster.burst(size, systemClock.now()), signal);
  }

  /** Requests for one object one after the other, for different ones side by side. */
  async #sendAll(operations: readonly Operation[], signal: AbortSignal): Promise<void> {
    const groups = Map.groupBy(operations, objectPath).values();
    const worker = async (): Promise<void> => {
      for (const group of groups) {
        for (const operation of group) await this.#send(operation, signal);
      }
    };
    await Promise.all(Array.from({ length: maxConcurrent }, worker));
  }

  async #send(operation: Operation, signal: AbortSignal): Promise<void> {
    const sentMs = Date.now();
    const response = await fetch(`${this.#server}${requestPath(operation)}`, {
      ...requestInit(operation),
      signal,
    });
    const text = await response.text();
    if (response.ok) {
      const version = versionIn(JSON.parse(text));
      if (version !== undefined) this.#ages.noteWrite(version, sentMs);
      return;
    }
    // A user with kubectl was faster; the controllers of a real cluster take it as calmly.
    if (response.status === 404 || response.status === 409) {
      this.#cluster.forget(objectPath(operation));
      return;
    }
    throw new Error(`Couldn't ${operation.verb} ${requestPath(operation)}: ${text.slice(0, 200)}`);
  }
}

/** The resourceVersion in the answer of a write; some answers are a Status without one. */
function versionIn(answer: unknown): string | undefined {
  const metadata = isRecord(answer) ? answer["metadata"] : undefined;
  const version = isRecord(metadata) ? metadata["resourceVersion"] : undefined;
  return typeof version === "string" ? version : undefined;
}

function objectPath(operation: Operation): string {
  if (operation.verb === "create") {
    return `${operation.collection}/${operation.object.metadata.name}`;
  }
  return operation.path.replace(/\/status$/, "");
}

function requestPath(operation: Operation): string {
  if (operation.verb === "create") return operation.collection;
  return operation.verb === "bind" ? `${operation.path}/binding` : operation.path;
}

function requestInit(operation: Operation): RequestInit {
  if (operation.verb === "create") return json("POST", "application/json", operation.object);
  if (operation.verb === "patch") {
    return json("PATCH", "application/merge-patch+json", operation.body);
  }
  if (operation.verb === "bind") {
    const metadata = { name: operation.path.split("/").at(-1) };
    const target = { apiVersion: "v1", kind: "Node", name: operation.node };
    return json("POST", "application/json", {
      apiVersion: "v1",
      kind: "Binding",
      metadata,
      target,
    });
  }
  const { gracePeriodSeconds } = operation;
  if (gracePeriodSeconds === undefined) return { method: "DELETE" };
  return json("DELETE", "application/json", { kind: "DeleteOptions", gracePeriodSeconds });
}

function json(method: string, contentType: string, body: object): RequestInit {
  return { method, headers: { "content-type": contentType }, body: JSON.stringify(body) };
}

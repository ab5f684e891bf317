import { createConnection, type Connection } from "@listwatch/client";
import type { Log } from "@listwatch/core-fifo";
import { createManager, type Manager, type ManagerOptions } from "@listwatch/manager";
import { Cluster, configMapReference, server } from "./cluster.ts";
import { LineLog } from "./lines.ts";

/** A cluster with a manager, and the order in which its parts start and stop. */
export class Operator {
  readonly cluster: Cluster;
  readonly log = new LineLog();
  /** Events of the run in their order: lines of the log, works, requests. */
  readonly order: string[] = [];
  readonly stop = new AbortController();
  readonly manager: Manager;
  #watch: Request | undefined;

  constructor(options: Partial<ManagerOptions> = {}, cluster: Cluster = new Cluster()) {
    this.cluster = cluster;
    this.manager = createManager(this.#connect(), {
      name: "operator",
      signals: false,
      server: false,
      telemetry: { log: this.#createLog() },
      clock: cluster.clock,
      random: () => 0.5,
      ...options,
    });
  }

  /** Adds a controller of config maps, and a runnable of each kind. */
  addParts(reconcile: (key: string, signal: AbortSignal) => unknown = () => undefined): this {
    this.manager.controller({
      for: configMapReference,
      name: "maps",
      reconcile: async (key, { signal }) => {
        this.order.push(`reconcile ${key}`);
        await reconcile(key, signal);
        this.order.push(`reconciled ${key}`);
      },
    });
    for (const [name, needsLeader] of [
      ["webhook", false],
      ["leader-work", true],
    ] as const) {
      this.manager.add({
        name,
        needsLeader,
        run: async (signal) => {
          this.order.push(`${name} starts`);
          await untilAborted(signal);
          this.order.push(`${name} ends`);
        },
      });
    }
    return this;
  }

  /** The order from this entry on. */
  orderFrom(entry: string): readonly string[] {
    return this.order.slice(this.order.indexOf(entry));
  }

  /** Connects to the cluster, and writes requests that matter for the order into it. */
  #connect(): Connection {
    const fetch = async (request: Request): Promise<Response> => {
      const { pathname, searchParams } = new URL(request.url);
      if (pathname.includes("/leases") && request.method !== "GET") {
        const body = await request.clone().text();
        const isHeld = /"holderIdentity":"[^"]/.test(body);
        if (!isHeld) this.order.push("lease is released");
        else if (!this.order.includes("lease is held")) this.order.push("lease is held");
      }
      if (pathname.endsWith("/events") && request.method === "POST") {
        const { note } = JSON.parse(await request.clone().text()) as { note: string };
        this.order.push(`event: ${note.replace(/^\S+ /, "")}`);
      }
      if (searchParams.has("watch") && !this.order.includes("watch begins")) {
        this.order.push("watch begins");
        // The signal of a request that has been collected is never aborted.
        this.#watch = request;
        this.#watch.signal.addEventListener("abort", () => this.order.push("watch ends"));
      }
      return this.cluster.api.fetch(request);
    };
    return createConnection({ server, fetch });
  }

  #createLog(): Log {
    const write =
      (level: keyof Log) =>
      (message: string, fields: Readonly<Record<string, unknown>>): void => {
        this.log[level](message, fields);
        if (level !== "debug") this.order.push(message);
      };
    return {
      debug: write("debug"),
      info: write("info"),
      warn: write("warn"),
      error: write("error"),
    };
  }
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

import { SimulatedClock } from "@listwatch/core-fifo/testing";
import type { ListerWatcher, WatchStream } from "@listwatch/reflector";
import type { WatchEvent } from "@listwatch/client";
import type { KubernetesObject } from "@listwatch/core-fifo";
import { describe, expect, test } from "vitest";
import { start } from "../support/running.ts";

const named = (name: string, resourceVersion?: string): KubernetesObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, ...(resourceVersion === undefined ? {} : { resourceVersion }) },
});

/** A server whose watches are ended by the test. Records the start of each one. */
class Server implements ListerWatcher<KubernetesObject> {
  readonly watchListSupported = false;
  readonly begun: string[] = [];
  items: readonly KubernetesObject[] = [named("a", "5"), named("b", "6")];
  lists = 0;
  #end: () => void = () => undefined;
  readonly #version: string | undefined;
  readonly #events: readonly WatchEvent<KubernetesObject>[];

  constructor(version: string | undefined, events: readonly WatchEvent<KubernetesObject>[] = []) {
    this.#version = version;
    this.#events = events;
  }

  async list() {
    this.lists += 1;
    const metadata = this.#version === undefined ? {} : { resourceVersion: this.#version };
    return { kind: "ConfigMapList", metadata, items: this.items };
  }

  async watch({
    resourceVersion = "",
  }: {
    readonly resourceVersion?: string | undefined;
  }): Promise<WatchStream<KubernetesObject>> {
    this.begun.push(resourceVersion);
    const ended = new Promise<void>((resolve) => (this.#end = resolve));
    const events = this.#events;
    return (async function* () {
      yield events;
      await ended;
    })();
  }

  endWatch(): void {
    this.#end();
  }
}

describe("a watch resumes from the last named resourceVersion", () => {
  test.each([
    ["an event without a resourceVersion", { type: "MODIFIED", object: named("a") }],
    ["an event of the resourceVersion 0", { type: "MODIFIED", object: named("a", "0") }],
    ["a bookmark without a resourceVersion", { type: "BOOKMARK", object: { metadata: {} } }],
  ] as const)("after %s, so that no deletion is missed", async (_, event) => {
    const clock = new SimulatedClock();
    const server = new Server("10", [event]);
    const { reflector, stop, store } = await start(clock, server);
    await clock.advance(2000);
    server.endWatch();
    await clock.advance(2000);
    expect(server.begun).toEqual(["10", "10"]);
    expect(reflector.lastSyncResourceVersion).toBe("10");
    expect(store.calls.filter((call) => call.startsWith("bookmark"))).toEqual([]);
    await stop();
  });
});

test.each([undefined, "0"])(
  "after a list with the resourceVersion %j the end of a watch causes a relist, since deletions could be missed",
  async (version) => {
    const clock = new SimulatedClock();
    const server = new Server(version);
    const { stop, store } = await start(clock, server);
    await clock.advance(2000);
    server.items = [named("a", "5")];
    server.endWatch();
    await clock.advance(5000);
    expect(server.lists).toBe(2);
    expect(Object.keys(store.state())).toEqual(["a"]);
    await stop();
  },
);

import { isBelow } from "@listwatch/core-fifo/base";
import type { KubernetesObject } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { NetworkError } from "@listwatch/client";
import { clientGoBehaviour, type ListerWatcher, type ReflectorTrace } from "@listwatch/reflector";
import { describe, expect, test } from "vitest";
import { isOfOtherHistory } from "../../src/services/history.ts";
import { Cluster } from "../support/cluster.ts";
import { MapStore, start, type StartOptions } from "../support/running.ts";

const minute = 60_000;

describe("two resourceVersions", () => {
  test.each([
    ["9", "10", true],
    ["10", "9", false],
    ["10", "10", false],
    ["99999999999999999999", "100000000000000000000", true],
    ["", "10", false],
    ["0", "10", false],
    ["09", "10", false],
    ["x", "y", false],
    ["5", "", false],
  ])("%j is below %j: %s", (version, other, expected) => {
    expect(isBelow(version, other)).toBe(expected);
  });
});

test.each([
  ["another uid and a lower version", { uid: "2", resourceVersion: "4" }, true],
  ["another uid and a higher version", { uid: "2", resourceVersion: "6" }, false],
  ["the same uid and a lower version", { uid: "1", resourceVersion: "4" }, false],
  ["no uid and a lower version", { uid: "", resourceVersion: "4" }, false],
])("an object of %s belongs to another history: %s", (_, identity, expected) => {
  expect(isOfOtherHistory({ uid: "1", resourceVersion: "5" }, identity)).toBe(expected);
});

function expire({ api }: Cluster): void {
  for (const watch of api.control.watches.list()) watch.sendError({ code: 410 });
}

/** Starts a reflector over a store that offers its objects for reuse. */
async function following(
  cluster: Cluster,
  streamed: boolean,
  options: StartOptions = {},
  fetch?: (request: Request) => Promise<Response>,
) {
  const store = new MapStore();
  const held = ({ namespace, name }: { readonly namespace: string; readonly name: string }) =>
    store.objects.get(`${namespace}/${name}`);
  const source = cluster.source(
    { watchListSupported: streamed },
    fetch === undefined ? {} : { fetch },
  );
  return start(cluster.clock, source, { store, list: { held }, ...options });
}

describe.each([true, false])("resourceVersions that decrease (streamed lists: %s)", (streamed) => {
  test.each([
    ["then the watch is silent", () => {}],
    ["then the watch expires", expire],
  ])("are detected and reported: %s (REF-14, REF-16)", async (_, interrupt) => {
    const cluster = new Cluster();
    await cluster.create("a");
    await cluster.create("b");
    const earlier = cluster.api.control.snapshot();
    const running = await following(cluster, streamed);
    await cluster.delete("b");
    for (let change = 0; change < 20; change++) {
      await cluster.update("a", { data: { change: String(change) } });
    }
    await cluster.clock.settle();
    const { resourceVersion: seen } = running.reflector.status();
    // The restore ends the watch, which is reopened at a future resourceVersion and stays silent.
    await cluster.clock.advance(2000);
    interrupt(cluster);
    cluster.api.control.restore(earlier, "rollback");
    const got = String(cluster.api.control.revision);
    // One silent watch, and 3 s that the server waits for a future resourceVersion.
    await cluster.clock.advance(100_000);
    expect(running.store.state()).toEqual(await cluster.state());
    expect(Object.keys(running.store.state())).toEqual(["default/a", "default/b"]);
    const reported = running.errors.filter(
      ({ error }) => error instanceof Error && "code" in error && error.code === "LW_OTHER_HISTORY",
    );
    expect(reported).toMatchObject([{ error: { seen, got } }]);
    expect(running.reflector.status()).toMatchObject({ attempts: 0, phase: "watching" });

    await cluster.update("b", { data: { after: "all" } });
    await cluster.clock.settle();
    expect(running.store.state()).toEqual(await cluster.state());
    await running.stop();
  });

  test("are detected after an outage, before the new history overtakes the old one", async () => {
    const cluster = new Cluster();
    await cluster.create("a");
    await cluster.create("b");
    const earlier = cluster.api.control.snapshot();
    let isDown = false;
    const running = await following(cluster, streamed, {}, async (request) => {
      if (isDown) throw new NetworkError("connection-refused", "nothing listens");
      return cluster.api.fetch(request);
    });
    await cluster.delete("b");
    for (let change = 0; change < 20; change++) {
      await cluster.update("a", { data: { change: String(change) } });
    }
    await cluster.clock.advance(2000);
    const { resourceVersion: seen } = running.reflector.status();
    isDown = true;
    cluster.api.control.watches.end();
    await cluster.clock.advance(15_000);
    cluster.api.control.restore(earlier, "rollback");
    isDown = false;
    const got = String(cluster.api.control.revision);
    await cluster.clock.advance(5000);
    expect(running.errors.map(({ error }) => error)).toContainEqual(
      expect.objectContaining({ code: "LW_OTHER_HISTORY", seen, got }),
    );
    for (let change = 0; change < 40; change++) {
      await cluster.update("a", { data: { change: String(change) } });
    }
    await cluster.clock.settle();
    expect(running.store.state()).toEqual(await cluster.state());
    await running.stop();
  });

  test("reuse no held object, although uid and resourceVersion are equal", async () => {
    const cluster = new Cluster();
    await cluster.create("a");
    const earlier = cluster.api.control.snapshot();
    await cluster.update("a", { data: { history: "first" } });
    for (let change = 0; change < 5; change++) await cluster.create(`more-${change}`);
    const { store, stop } = await following(cluster, streamed);
    expire(cluster);
    cluster.api.control.restore(earlier, "rollback");
    await cluster.update("a", { data: { history: "second" } });
    await cluster.clock.advance(minute);
    expect(store.objects.get("default/a")?.data).toEqual({ history: "second" });
    await stop();
  });

  test("are not reported where one server lags behind another", async () => {
    const cluster = new Cluster();
    await cluster.create("a");
    const { errors, store, stop } = await following(cluster, streamed);
    for (let change = 0; change < 5; change++) await cluster.create(`more-${change}`);
    await cluster.clock.settle();
    cluster.api.control.frontEnds.at(1).lag(3);
    cluster.api.control.frontEnds.route(1);
    expire(cluster);
    await cluster.clock.advance(minute);
    expect(errors).toMatchObject([
      { recovery: "relist", error: { reason: "Expired" } },
      { recovery: "newest", error: { reason: "Timeout" } },
    ]);
    expect(store.state()).toEqual(await cluster.state());
    await stop();
  });

  test("are accepted with client-go's behaviour, which reports nothing", async () => {
    const cluster = new Cluster();
    const earlier = cluster.api.control.snapshot();
    await cluster.create("a");
    const { errors, reflector, stop } = await following(cluster, streamed, {
      behaviour: clientGoBehaviour,
    });
    await cluster.clock.advance(2000);
    cluster.api.control.restore(earlier, "rollback");
    await cluster.clock.advance(5 * minute);
    expect(errors).toEqual([]);
    expect(reflector.status().attempts).toBe(0);
    await stop();
  });
});

describe("an event that contradicts the held state", () => {
  const named = (name: string, uid: string, resourceVersion: string): KubernetesObject => ({
    metadata: { name, uid, resourceVersion },
  });

  async function sending(event: object, items: readonly KubernetesObject[]) {
    const clock = new SimulatedClock();
    const store = new MapStore<KubernetesObject>();
    const versions: (string | undefined)[] = [];
    const source: ListerWatcher<KubernetesObject> = {
      watchListSupported: false,
      list: async ({ resourceVersion, limit }) => {
        if (limit !== 1) versions.push(resourceVersion);
        return { items, metadata: { resourceVersion: versions.length > 1 ? "6" : "100" } };
      },
      watch: async (_, { signal }) =>
        (async function* () {
          if (versions.length === 1) yield JSON.parse(JSON.stringify(event));
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
        })(),
    };
    const held = ({ name }: { readonly name: string }) => store.objects.get(name);
    const traces: ReflectorTrace[] = [];
    const onTrace = (trace: ReflectorTrace) => traces.push(trace);
    const running = await start(clock, source, { store, list: { held }, onTrace });
    await clock.advance(2000);
    return { traces, versions, ...running };
  }

  test.each([
    ["a bookmark below the last state", { type: "BOOKMARK", object: named("", "", "5") }],
    [
      "an object of another uid and a lower version",
      { type: "ADDED", object: named("a", "2", "5") },
    ],
  ])(
    "such as %s is reported, ends one watch and causes a list without a resourceVersion",
    async (_, event) => {
      const { errors, traces, versions, stop } = await sending(event, [named("a", "1", "90")]);
      expect(traces.filter(({ kind }) => kind === "watchEnded")).toMatchObject([
        { cause: { code: "LW_OTHER_HISTORY" } },
      ]);
      expect(errors).toMatchObject([
        {
          operation: "watch",
          recovery: "relist",
          error: {
            code: "LW_OTHER_HISTORY",
            message:
              "Cannot continue reflector from resourceVersion 100: the server is at 5, so that its storage was restored or replaced",
          },
        },
      ]);
      expect(versions).toEqual(["0", ""]);
      await stop();
    },
  );

  test.each([
    ["the same uid", { type: "MODIFIED", object: named("a", "1", "95") }],
    ["a name that is not held", { type: "ADDED", object: named("b", "2", "95") }],
  ])("does not include one with %s", async (_, event) => {
    const { errors, versions, stop } = await sending(event, [named("a", "1", "90")]);
    expect(errors).toEqual([]);
    expect(versions).toEqual(["0"]);
    await stop();
  });
});

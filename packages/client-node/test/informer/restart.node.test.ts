import * as k8s from "@kubernetes/client-node";
import { createConnection } from "@listwatch/client";
import { makeInformer } from "@listwatch/client-node";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { describe, expect, test } from "vitest";
import { ScriptedServer, wireMap } from "../support/scripted-server.ts";
import {
  configFor,
  implementations,
  listenHere,
  namespace,
  path,
  Watched,
  World,
  type Make,
} from "../support/world.ts";

/** Runs a program against a scripted server; its list function returns what the server has. */
async function script(
  make: Make,
  use: (server: ScriptedServer, watched: Watched) => Promise<void>,
): Promise<void> {
  const server = new ScriptedServer();
  server.items = [wireMap("a", "9")];
  const listener = await listenHere(server);
  const config = configFor(listener.url);
  const api = config.makeApiClient(k8s.CoreV1Api);
  const watched = new Watched(make(config, path, () => api.listNamespacedConfigMap({ namespace })));
  try {
    await watched.informer.start();
    await server.opened(1);
    await use(server, watched);
  } finally {
    await watched.informer.stop();
    await listener.close();
  }
}

/** A stop is an error with client-node. */
function errorsOf(watched: Watched): readonly unknown[] {
  return watched.errors.filter((error) => (error as Error).name !== "AbortError");
}

const expired = { kind: "Status", code: 410, reason: "Expired", message: "too old" };

describe.each(implementations)("a restart, with $name (MKI-2)", ({ make }) => {
  test("resumes the watch from the last version, without a list", () =>
    script(make, async (server, watched) => {
      server.send("ADDED", wireMap("b", "12"));
      await watched.until("add b");
      await watched.informer.stop();
      await watched.informer.start();
      await server.opened(2);
      server.send("DELETED", wireMap("a", "13"));
      await watched.until("delete a");
      expect(server.lists).toBe(1);
      expect(server.requested.at(-1)).toContain("resourceVersion=12");
      expect(watched.changes).toEqual(["add a", "add b", "delete a"]);
      expect(watched.names).toEqual(["b"]);
    }));

  test("lists once if the history has expired, also what is older than the cache", () =>
    script(make, async (server, watched) => {
      server.send("ADDED", wireMap("b", "12"));
      await watched.until("add b");
      await watched.informer.stop();
      await watched.informer.start();
      await server.opened(2);
      server.send("ERROR", expired);
      server.end();
      await watched.until("delete b");
      await server.opened(3);
      expect(server.lists).toBe(2);
      expect(errorsOf(watched)).toEqual([]);
      expect(watched.names).toEqual(["a"]);
      expect(server.requested.at(-1)).toContain("resourceVersion=10");
      server.send("ADDED", wireMap("c", "14"));
      await watched.until("add c");
      expect(watched.names).toEqual(["a", "c"]);
    }));
});

const ours = implementations[1]!.make;

describe("a restart, with listwatch alone (MKI-2)", () => {
  test("of a watch that fails with 410 resolves after the list", () =>
    script(ours, async (server, watched) => {
      await watched.informer.stop();
      server.refusals.push(Response.json(expired, { status: 410 }));
      server.items = [wireMap("b", "20")];
      server.resourceVersion = "21";
      await watched.informer.start();
      expect(watched.names).toEqual(["b"]);
      expect(watched.errors).toEqual([]);
      expect(server.lists).toBe(2);
    }));

  test("lists again after a failure before the stop", () =>
    script(ours, async (server, watched) => {
      server.send("ERROR", { kind: "Status", code: 500, reason: "InternalError", message: "no" });
      await watched.until("error 500");
      await watched.informer.stop();
      await watched.informer.start();
      expect(server.lists).toBe(2);
    }));

  test("an older list is refused once, and accepted when the function repeats it", () =>
    script(ours, async (server, watched) => {
      server.send("ADDED", wireMap("b", "22"));
      await watched.until("add b");
      server.resourceVersion = "11";
      server.send("ERROR", expired);
      server.end();
      await watched.until("delete b");
      await server.opened(2);
      expect(server.lists).toBe(3);
      expect(watched.errors.map(String)).toEqual([
        "Error: Cannot use a list that is older than the cache: " +
          "expected resourceVersion 22 or later, got 11",
      ]);
    }));

  test("keeps the instances of an informer with revive", async () => {
    await using world = await World.create();
    await world.add("a");
    const watched = world.watch(ours, { ours: { revive: k8s } });
    await watched.informer.start();
    const before = watched.informer.get("a", namespace);
    await watched.informer.stop();
    await watched.informer.start();
    expect(watched.informer.get("a", namespace)).toBe(before);
    expect(watched.changes).toEqual(["add a"]);
    expect(world.requests("list")).toBe(1);
  });
});

describe("a start (MKI-2)", () => {
  /** A server whose lists are complete and whose watches are answered by `answer`. */
  function startWith(answer: () => Promise<Response>) {
    const clock = new SimulatedClock({ startMs: Date.UTC(2026, 0, 1) });
    const connection = createConnection({ server: "http://cluster", fetch: answer });
    const list = async () => ({ metadata: { resourceVersion: "1" }, items: [] });
    const options = { clock, connection };
    const informer = makeInformer(configFor("http://cluster"), path, list, undefined, options);
    informer.on("error", () => undefined);
    return { clock, informer };
  }

  test("resolves when its watch has been answered", async () => {
    const answer = Promise.withResolvers<Response>();
    const { clock, informer } = startWith(() => answer.promise);
    let isStarted = false;
    const started = informer.start().then(() => (isStarted = true));
    await clock.advance(900);
    expect(isStarted).toBe(false);
    answer.resolve(new Response(new ReadableStream()));
    await clock.advance(1);
    await started;
    const stopped = informer.stop();
    await clock.advance(1);
    await stopped;
    expect(clock.pendingTimers).toBe(0);
  });

  test("resolves after a second if its watch is not answered", async () => {
    const { clock, informer } = startWith(() => new Promise(() => undefined));
    const started = informer.start();
    await clock.advance(1000);
    await started;
    expect(informer.hasSynced).toBe(true);
    const stopped = informer.stop();
    await clock.advance(1);
    await stopped;
  });

  test("resolves when its watch has been refused", async () => {
    const refuse = async () => Response.json({ kind: "Status", code: 403 }, { status: 403 });
    const { clock, informer } = startWith(refuse);
    const started = informer.start();
    await clock.advance(1);
    await started;
    expect(informer.status().problem?.reason).toBe("forbidden");
    const stopped = informer.stop();
    await clock.advance(1);
    await stopped;
  });
});

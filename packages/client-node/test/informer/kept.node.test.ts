import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { implementations, namespace, World } from "../support/world.ts";

let world: World;

beforeEach(async () => {
  world = await World.create();
});

afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

describe.each(implementations)("shared behaviour, with $name (MKI-2)", ({ make }) => {
  test("start resolves after the callbacks for the list, and the watch follows", async () => {
    await world.add("a");
    const watched = world.watch(make);
    await watched.informer.start();
    expect(watched.calls).toEqual(["connect", "add a"]);
    await world.server.control.when.watchOpen();
    await world.add("b");
    await watched.until("add b");
    await world.change("a", { x: "1" });
    await watched.until("update a");
    await world.remove("b");
    await watched.until("delete b");
    expect(watched.changes).toEqual(["add a", "add b", "update a", "delete b"]);
    expect(watched.names).toEqual(["a"]);
    expect(watched.informer.get("a", namespace)?.data).toEqual({ x: "1" });
    expect(watched.informer.get("a", "other")).toBeUndefined();
    expect(watched.informer.get("b", namespace)).toBeUndefined();
    expect(watched.informer.list("other")).toEqual([]);
    const noNamespace = JSON.parse("null") as string;
    for (const none of ["", noNamespace]) {
      expect(watched.informer.list(none)).toHaveLength(watched.informer.list().length);
    }
  });

  test("a second start while it runs opens no second watch and repeats no add", async () => {
    await world.add("a");
    const watched = world.watch(make);
    await watched.informer.start();
    await world.server.control.when.watchOpen();
    await watched.informer.start();
    await world.add("b");
    await watched.until("add b");
    await world.remove("b");
    await watched.until("delete b");
    expect(watched.changes).toEqual(["add a", "add b", "delete b"]);
    expect(world.server.control.watches.list()).toHaveLength(1);
    expect(world.requests("list")).toBe(1);
  });

  test("a stop keeps the cache, and a restart delivers only the differences", async () => {
    for (const name of ["changed", "gone", "same"]) await world.add(name);
    const watched = world.watch(make);
    await watched.informer.start();
    await world.server.control.when.watchOpen();
    await watched.informer.stop();
    await world.server.control.when.watchesClosed();
    await world.change("changed", { x: "1" });
    await world.remove("gone");
    await world.add("new");
    expect(watched.names).toEqual(["changed", "gone", "same"]);
    const before = watched.calls.length;
    await watched.informer.start();
    await watched.until("add new", before);
    await watched.until("delete gone", before);
    await watched.until("update changed", before);
    expect(watched.changes.toSorted()).toEqual(
      [
        "add changed",
        "add gone",
        "add new",
        "add same",
        "delete gone",
        "update changed",
      ].toSorted(),
    );
    expect(watched.names).toEqual(["changed", "new", "same"]);
  });

  test("repeated stops and starts leave one watch", async () => {
    await world.add("a");
    const watched = world.watch(make);
    for (let turn = 0; turn < 5; turn++) {
      await watched.informer.start();
      await watched.informer.stop();
    }
    await watched.informer.start();
    await world.server.control.when.watchOpen();
    await world.add("b");
    await watched.until("add b");
    expect(watched.changes).toEqual(["add a", "add b"]);
    expect(world.server.control.watches.list()).toHaveLength(1);
  });

  test("connect is called without an argument before each connection, and error not for a clean close", async () => {
    await world.add("a");
    const watched = world.watch(make);
    await watched.informer.start();
    await world.server.control.when.watchOpen();
    await world.add("b");
    await watched.until("add b");
    world.server.control.watches.end();
    await watched.until("connect", 2);
    await world.add("c");
    await watched.until("add c");
    expect(watched.calls).toEqual(["connect", "add a", "add b", "connect", "add c"]);
    expect(world.requests("list")).toBe(1);
  });

  test("a deletion that no watch delivered calls delete with the last known object", async () => {
    await world.add("a", { data: { x: "1" } });
    await world.add("b");
    const watched = world.watch(make);
    await watched.informer.start();
    await world.server.control.when.watchOpen();
    const { faults } = world.server.control;
    faults.add({ match: { verb: "watch" }, action: { type: "status", status: { code: 410 } } });
    const gate = faults.add({ match: { verb: "watch" }, action: { type: "latency", ms: 200 } });
    world.server.control.watches.end();
    await world.remove("a");
    await watched.until("delete a");
    expect(gate).toBeDefined();
    expect(watched.objects.at(-1)?.data).toEqual({ x: "1" });
    expect(watched.errors).toEqual([]);
    await world.server.control.when.watchOpen();
    await world.add("c");
    await watched.until("add c");
    expect(watched.names).toEqual(["b", "c"]);
  });

  test("a callback gets no events from before it was added (MKI-4) or after it was removed", async () => {
    await world.add("a");
    const watched = world.watch(make);
    await watched.informer.start();
    await world.server.control.when.watchOpen();
    const late: string[] = [];
    const note = (object: { metadata?: { name?: string } }): void => {
      late.push(object.metadata?.name ?? "");
    };
    watched.informer.on("change", note);
    await world.add("b");
    await watched.until("add b");
    await world.remove("b");
    await watched.until("delete b");
    watched.informer.off("change", note);
    watched.informer.off("change", note);
    await world.add("c");
    await watched.until("add c");
    expect(late).toEqual(["b", "b"]);
  });

  test("a callback added twice is called twice, and each off removes one", async () => {
    const watched = world.watch(make);
    let calls = 0;
    const count = (): void => {
      calls++;
    };
    watched.informer.on("add", count);
    watched.informer.on("add", count);
    await watched.informer.start();
    await world.server.control.when.watchOpen();
    await world.add("a");
    await watched.until("add a");
    await world.change("a", { x: "1" });
    await watched.until("update a");
    expect(calls).toBe(2);
    watched.informer.off("add", count);
    await world.add("b");
    await watched.until("add b");
    await world.change("b", { x: "1" });
    await watched.until("update b");
    expect(calls).toBe(3);
  });

  test("an unknown verb throws", () => {
    const { informer } = world.watch(make);
    const on = informer.on.bind(informer) as (verb: string, callback: () => void) => void;
    const off = informer.off.bind(informer) as (verb: string, callback: () => void) => void;
    expect(() => on("added", () => undefined)).toThrow(/^Unknown verb: added$/);
    expect(() => off("added", () => undefined)).toThrow(/^Unknown verb: added$/);
  });

  test("a label selector applies to the watch; the function decides what is listed", async () => {
    await world.add("a", { labels: { app: "web" } });
    const watched = world.watch(make, {
      labelSelector: "app=web",
      list: () => world.api.listNamespacedConfigMap({ namespace, labelSelector: "app=web" }),
    });
    await watched.informer.start();
    await world.server.control.when.watchOpen();
    await world.add("other");
    await world.add("b", { labels: { app: "web" } });
    await watched.until("add b");
    expect(watched.calls).toEqual(["connect", "add a", "add b"]);
  });

  test("errors have a numeric code: code and body for lists, statusCode for watches", async () => {
    const { faults } = world.server.control;
    const forbidden = { type: "status", status: { code: 403 } } as const;
    faults.add({ match: { verb: "list" }, action: forbidden });
    const watched = world.watch(make);
    void watched.informer.start();
    await watched.until("error 403");
    const [ofList] = watched.errors as { code: number; body: string }[];
    expect(ofList?.code).toBe(403);
    expect(JSON.parse(ofList?.body ?? "")).toMatchObject({ kind: "Status", reason: "Forbidden" });
    faults.add({ match: { verb: "watch" }, action: forbidden });
    void watched.informer.start();
    await watched.until("error 403", watched.calls.indexOf("error 403") + 1);
    expect(watched.errors[1]).toMatchObject({ statusCode: 403 });
    expect(watched.errors[1]).toBeInstanceOf(Error);
  });

  test("a start after each error, a common pattern, is harmless", async () => {
    await world.add("a");
    const watched = world.watch(make);
    watched.informer.on("error", () => {
      setTimeout(() => void watched.informer.start(), 1);
    });
    const { faults } = world.server.control;
    const unavailable = { type: "status", status: { code: 500 } } as const;
    faults.add({ match: { verb: "list" }, action: unavailable, times: 2 });
    faults.add({ match: { verb: "watch" }, action: unavailable });
    await watched.informer.start();
    await world.server.control.when.watchOpen();
    await world.add("b");
    await watched.until("add b");
    expect(watched.changes).toEqual(["add a", "add b"]);
    expect(world.server.control.watches.list()).toHaveLength(1);
  });
});

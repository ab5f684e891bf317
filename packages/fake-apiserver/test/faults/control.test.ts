import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient, configMaps, type Json } from "../support/api-client.ts";
import { ManualClock } from "../support/manual-clock.ts";

function start(seed: number = 1) {
  const clock = new ManualClock();
  const server = new FakeApiServer({ clock, seed });
  const { control } = server;
  const client = new ApiClient(server);
  const names = async (query: string = ""): Promise<readonly string[]> => {
    const { body } = await client.get(`${configMaps}${query}`);
    return (body["items"] as readonly Json[]).map((item) => String(item["metadata"].name));
  };
  return { clock, control, client, names, server };
}

const list = `${configMaps}?resourceVersionMatch=Exact`;

test("the event log begins after a revision, and refuses what is none", async () => {
  const { client, control } = start();
  await client.createConfigMap("a");
  const after = control.revision;
  await client.createConfigMap("b");
  const names = (options?: { after: number }): readonly string[] =>
    control.eventLog("configmaps", options).map(({ name }) => name);
  expect(names()).toEqual(["a", "b"]);
  expect(names({ after })).toEqual(["b"]);
  expect(names({ after: control.revision })).toEqual([]);
  control.compact();
  expect(names({ after })).toEqual([]);
  expect(() => names({ after: 0.5 })).toThrow("after");
});

describe("compaction", () => {
  test("rejects exact lists and watches from before it with 410, and no later ones", async () => {
    const { control, client } = start();
    await client.createConfigMap("a");
    const old = control.revision;
    await client.createConfigMap("b");
    control.compact();
    expect((await client.get(`${list}&resourceVersion=${old}`)).status).toBe(410);
    expect((await client.get(`${list}&resourceVersion=${control.revision}`)).status).toBe(200);
    const late = await client.watch(`${configMaps}?watch=1&resourceVersion=${old}`);
    expect(await late.rest()).toEqual(["ERROR 410"]);
    const fresh = await client.watch(`${configMaps}?watch=1&resourceVersion=${control.revision}`);
    await client.createConfigMap("c");
    expect(await fresh.take(1)).toEqual(["ADDED c"]);
  });

  test("keeps open watches, and on request allows new ones", async () => {
    const { control, client } = start();
    const old = control.revision;
    const open = await client.watch(`${configMaps}?watch=1&resourceVersion=${old}`);
    await client.createConfigMap("a");
    control.compact({ watches: false });
    expect(await open.take(1)).toEqual(["ADDED a"]);
    const again = await client.watch(`${configMaps}?watch=1&resourceVersion=${old}`);
    expect(await again.take(1)).toEqual(["ADDED a"]);
  });

  test("can be to an earlier revision", async () => {
    const { control, client } = start();
    await client.createConfigMap("a");
    const middle = control.revision;
    await client.createConfigMap("b");
    control.compact({ to: middle });
    expect((await client.get(`${list}&resourceVersion=${middle}`)).status).toBe(200);
    expect((await client.get(`${list}&resourceVersion=${middle - 1}`)).status).toBe(410);
  });
});

describe("watch floors", () => {
  test("reject only watches of one resource", async () => {
    const { control, client } = start();
    const old = control.revision;
    control.advanceRevision();
    control.watchFloor("configmaps", control.revision);
    const refused = await client.watch(`${configMaps}?watch=1&resourceVersion=${old}`);
    expect(await refused.rest()).toEqual(["ERROR 410"]);
    await client.watch(`/api/v1/secrets?watch=1&resourceVersion=${old}`);
    expect(control.watches.list().map(({ resource }) => resource)).toEqual(["secrets"]);
  });
});

describe("the README's example", () => {
  test("expires the version of a watch although no object was written", async () => {
    const { control, client } = start();
    const { body } = await client.get(configMaps);
    const url = `${configMaps}?watch=1&resourceVersion=${body["metadata"].resourceVersion}`;
    control.compact();
    await client.watch(url);
    expect(control.watches.list()).toHaveLength(1);
    control.advanceRevision();
    control.compact();
    control.watches.reset();
    expect(await (await client.watch(url)).rest()).toEqual(["ERROR 410"]);
  });
});

describe("snapshots", () => {
  test("restore objects; watches end and revisions continue", async () => {
    const { control, client, names } = start();
    await client.createConfigMap("a");
    const snapshot = control.snapshot();
    const watch = await client.watch(`${configMaps}?watch=1`);
    await client.createConfigMap("b");
    const before = control.revision;
    control.restore(snapshot);
    expect(await names()).toEqual(["a"]);
    expect(control.revision).toBeGreaterThan(before);
    expect((await watch.rest()).length).toBeLessThanOrEqual(2);
    expect(control.watches.list()).toEqual([]);
    const late = await client.watch(`${configMaps}?watch=1&resourceVersion=${before}`);
    expect(await late.rest()).toEqual(["ERROR 410"]);
  });

  test("of another server, or in an unknown way, are rejected without effect", async () => {
    const { control, client } = start();
    await client.watch(`${configMaps}?watch=1`);
    const refused = (text: string) =>
      expect.objectContaining({
        code: "LW_INVALID_CONTROL",
        message: expect.stringContaining(text),
      });
    expect(() => control.restore(start().control.snapshot())).toThrow(
      refused("Expected a snapshot of this server in snapshot"),
    );
    expect(() => control.restore(control.snapshot(), "rolback" as "rollback")).toThrow(
      refused('mode, got "rolback"'),
    );
    expect(control.watches.list()).toHaveLength(1);
  });

  test("with rollback reset the revision: newer versions are in the future", async () => {
    const { clock, control, client } = start();
    await client.createConfigMap("a");
    const snapshot = control.snapshot();
    const before = control.revision;
    await client.createConfigMap("b");
    const future = control.revision;
    control.restore(snapshot, "rollback");
    expect(control.revision).toBe(before);
    const answer = client.get(`${configMaps}?resourceVersion=${future}`);
    await clock.advance(3000);
    expect((await answer).status).toBe(504);
  });
});

describe("front ends", () => {
  test("serve resourceVersion 0 and watches from a lagging cache, and lists without a version fresh", async () => {
    const { control, client, names } = start();
    for (const name of ["a", "b", "c"]) await client.createConfigMap(name);
    control.frontEnds.at(0).lag(2);
    expect(await names("?resourceVersion=0")).toEqual(["a"]);
    expect(await names()).toEqual(["a", "b", "c"]);
    const watch = await client.watch(`${configMaps}?watch=1&resourceVersion=0`);
    expect(await watch.take(1)).toEqual(["ADDED a"]);
    await client.createConfigMap("d");
    expect(await watch.take(1)).toEqual(["ADDED b"]);
    control.frontEnds.at(0).catchUp();
    expect(await watch.take(2)).toEqual(["ADDED c", "ADDED d"]);
  });

  test("delay watches that were open before the lag began", async () => {
    const { control, client } = start();
    const watch = await client.watch(`${configMaps}?watch=1&resourceVersion=${control.revision}`);
    control.frontEnds.at(0).freeze("configmaps");
    await client.createConfigMap("a");
    const taken = watch.take(1);
    await expect(
      control.when.allWatchersAt(control.revision, {}, { signal: AbortSignal.abort() }),
    ).rejects.toThrow("aborted");
    expect(control.watches.list()[0]?.isAt(control.revision)).toBe(false);
    control.frontEnds.at(0).catchUp();
    expect(await taken).toEqual(["ADDED a"]);
  });

  test("are selected by a route: a client that switches goes back in time", async () => {
    const { control, client, names } = start();
    await client.createConfigMap("a");
    control.frontEnds.at(1).freeze();
    await client.createConfigMap("b");
    control.frontEnds.route((request) => (request.headers.get("x-front-end") === "1" ? 1 : 0));
    expect(await names("?resourceVersion=0")).toEqual(["a", "b"]);
    control.frontEnds.route(1);
    expect(await names("?resourceVersion=0")).toEqual(["a"]);
    const watchFloor = control.revision;
    control.frontEnds.at(1).watchFloor("configmaps", watchFloor);
    const refused = await client.watch(`${configMaps}?watch=1&resourceVersion=${watchFloor - 1}`);
    expect(await refused.rest()).toEqual(["ERROR 410"]);
  });

  test("reject versions that they have not reached with 504", async () => {
    const { clock, control, client } = start();
    await client.createConfigMap("a");
    control.frontEnds.at(0).lag(1);
    const answer = client.get(`${configMaps}?resourceVersion=${control.revision}`);
    await clock.advance(3000);
    expect((await answer).status).toBe(504);
  });

  test("with illegal stale reads serve lists without a version from the cache too", async () => {
    const { control, client, names } = start();
    await client.createConfigMap("a");
    await client.createConfigMap("b");
    control.frontEnds.at(0).lag(1);
    control.illegal.staleReads = true;
    expect(await names()).toEqual(["a"]);
  });
});

describe("watch-list support", () => {
  const streaming = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
  const url = `${configMaps}?watch=1&${streaming}&allowWatchBookmarks=true`;

  test("can be rejected with 422", async () => {
    const { control, client } = start();
    control.watchList = "refused";
    const { status, body } = await client.get(url);
    expect(status).toBe(422);
    expect(body["message"]).toContain("WatchList feature gate");
  });

  test("can be missing: plain initial events without a bookmark", async () => {
    const { control, client } = start();
    await client.createConfigMap("a");
    control.watchList = "ignored";
    const watch = await client.watch(url);
    const taken = watch.take(2);
    await client.createConfigMap("b");
    expect(await taken).toEqual(["ADDED a", "ADDED b"]);
  });
});

describe("outages", () => {
  test("unready: for that time lists and watches get 429 with Retry-After, gets do not", async () => {
    const { clock, control, client } = start();
    await client.createConfigMap("a");
    control.unready("configmaps", 500);
    const refused = await client.get(configMaps);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    expect(refused.body["message"]).toBe("storage is (re)initializing");
    expect((await client.get(`${configMaps}/a`)).status).toBe(200);
    expect((await client.get("/api/v1/secrets")).status).toBe(200);
    await clock.advance(500);
    expect((await client.get(configMaps)).status).toBe(200);
  });

  test("restart: watches end, and old versions are too old for watches", async () => {
    const { clock, control, client } = start();
    const old = control.revision;
    const watch = await client.watch(`${configMaps}?watch=1&resourceVersion=${old}`);
    await client.createConfigMap("a");
    control.restart({ unreadyMs: 100 });
    expect(await watch.rest()).toEqual([]);
    expect((await client.get(configMaps)).status).toBe(429);
    await clock.advance(100);
    const late = await client.watch(`${configMaps}?watch=1&resourceVersion=${old}`);
    expect(await late.rest()).toEqual(["ERROR 410"]);
  });

  test("shutdown: everything is 503 until the start", async () => {
    const { control, client } = start();
    const watch = await client.watch(`${configMaps}?watch=1`);
    control.shutdown();
    expect(await watch.rest()).toEqual([]);
    const { status, body } = await client.get("/version");
    expect([status, body["message"]]).toEqual([503, "apiserver is shutting down"]);
    control.start();
    expect((await client.get(configMaps)).status).toBe(200);
  });
});

describe("the event log", () => {
  test("is the history of every effective write", async () => {
    const { control, client } = start();
    const began = control.revision;
    await client.createConfigMap("a", { x: "1" });
    await client.updateConfigMap("a", { x: "2" });
    await client.updateConfigMap("a", { x: "2" });
    await client.call("DELETE", `${configMaps}/a`);
    const log = control.eventLog("configmaps", { after: began });
    expect(
      log.map(({ type, name, revision, object }) => [
        type,
        name,
        revision - began,
        Number(object.metadata.resourceVersion) - began,
        object["data"],
      ]),
    ).toEqual([
      ["ADDED", "a", 1, 1, { x: "1" }],
      ["MODIFIED", "a", 2, 2, { x: "2" }],
      ["DELETED", "a", 3, 3, { x: "2" }],
    ]);
  });
});

describe("determinism", () => {
  test("the same seed, clock and requests produce byte-identical responses, faults included", async () => {
    const run = async (seed: number) => {
      const { clock, control, client } = start(seed);
      control.faults.add({
        when: { probability: 0.4 },
        times: Infinity,
        action: { type: "status", status: { code: 500 } },
      });
      const watch = await client.watch(`${configMaps}?watch=1&timeoutSeconds=30`);
      const log: string[] = [];
      for (let index = 0; index < 10; index++) {
        const body = { metadata: { generateName: "x-" } };
        const answer = await client.send("POST", configMaps, body);
        log.push(JSON.stringify([...answer.headers]), await answer.text());
        await clock.advance(1000);
      }
      const rest = watch.rest();
      await clock.advance(30_000);
      await rest;
      log.push(watch.chunks.map((chunk) => new TextDecoder().decode(chunk)).join(""));
      return log;
    };
    const first = await run(1);
    expect(await run(1)).toEqual(first);
    expect(await run(2)).not.toEqual(first);
  });
});

import {
  ConnectionResetError,
  FakeApiServer,
  withControlEndpoints,
} from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient, configMaps, type Json } from "../support/api-client.ts";

function start() {
  const server = new FakeApiServer({ seed: 1 });
  const client = new ApiClient(withControlEndpoints(server));
  const control = async (method: string, path: string, body?: object): Promise<Json> => {
    const answer = await client.call(method, `/__control/${path}`, body);
    return { status: answer.status, ...answer.body };
  };
  return { server, client, control };
}

describe("the server control over HTTP", () => {
  test("is not served by default", async () => {
    const server = new FakeApiServer();
    const answer = await new ApiClient(server).send("GET", "/__control/revision");
    expect(answer.status).toBe(404);
  });

  test("lists its routes, and each of them responds", async () => {
    const { control } = start();
    const { routes } = await control("GET", "");
    expect(routes).toContain("POST /__control/faults");
    const statuses = new Set<number>();
    for (const route of routes as readonly string[]) {
      const [method = "", path = ""] = route.split(" /__control/");
      const body = method === "POST" ? { timeoutMs: 1 } : undefined;
      statuses.add((await control(method, path.replace("*", "0"), body))["status"] as number);
    }
    // 400: most routes reject this body; 408: a barrier is not reached.
    expect(statuses).toEqual(new Set([200, 400, 408]));
  });

  test("forwards everything else to the server, and is not recorded", async () => {
    const { client, control, server } = start();
    expect((await client.createConfigMap("a")).status).toBe(201);
    await control("GET", "revision");
    expect(server.control.recorder.count).toBe(1);
    const { count, requests } = await control("GET", "requests");
    expect([count, requests[0].verb, requests[0].headers["content-type"]]).toEqual([
      1,
      "create",
      "application/json",
    ]);
    await control("DELETE", "requests");
    expect(server.control.recorder.count).toBe(0);
  });

  test("sets faults of every kind, and lists which were not used", async () => {
    const { client, control } = start();
    const match = { verb: ["list"], resource: "configmaps" };
    const actions = [
      { type: "status", status: { code: 429, retryAfterSeconds: 3 } },
      { type: "respond", status: 502, body: "<html>", headers: { "x-proxy": "1" } },
      { type: "truncate", at: { afterBytes: 3 } },
      { type: "slow", bytesPerSecond: 1e9 },
      { type: "split", shape: { bytes: 2 } },
      { type: "latency", ms: [0, 0] },
      { type: "commitThenFail", with: { code: 504 } },
      { type: "delayEvents", ms: 1, match: { name: "x" } },
    ];
    for (const action of actions) {
      expect(await control("POST", "faults", { match, action })).toMatchObject({
        status: 200,
        fired: 0,
        consumed: false,
      });
    }
    const unused = await control("POST", "faults/assert-consumed");
    expect(unused).toMatchObject({ status: 409 });
    expect(unused["error"]).toContain("fault 1 fired 0 of 1 times");
    const codes: number[] = [];
    for (let index = 0; index < 3; index++) {
      codes.push((await client.send("GET", configMaps)).status);
    }
    expect(codes).toEqual([429, 502, 200]);
    expect((await control("GET", "faults"))["faults"]).toHaveLength(8);
    await control("DELETE", "faults");
    expect((await control("POST", "faults/assert-consumed"))["status"]).toBe(200);
  });

  test.each([
    ["compact", { too: 1 }, "Unknown field too"],
    ["bookmarks", { supress: true }, "Unknown field supress"],
    ["restart", { unready: 5 }, "Unknown field unready"],
    ["shutdown", { now: true }, "Unknown field now"],
    ["when/idle", { count: 2 }, "Unknown field count"],
    ["faults", { times: 0, action: { type: "reset" } }, "times, got 0"],
    ["faults", { when: { probability: 5 }, action: { type: "reset" } }, "when.probability, got 5"],
    ["front-ends/route", { to: -1 }, "front end, got -1"],
    ["front-ends/0/lag", { revisions: -5 }, "revisions, got -5"],
    ["watch-floor", { resource: "podz", revision: 5 }, 'resource, got "podz"'],
    ["compact", { to: -5 }, "to, got -5"],
    ["unready", { ms: -1 }, "ms, got -1"],
    ["when/idle", { timeoutMs: -1 }, "timeoutMs, got -1"],
  ])("rejects invalid input: %s %o", async (path, body, message) => {
    const { client, control } = start();
    const { status, error } = await control("POST", path, body);
    expect([status, error]).toEqual([400, expect.stringContaining(message)]);
    expect((await client.get(configMaps)).status).toBe(200);
  });

  test("accepts everything that a rule in a program may have, except functions", async () => {
    const { client, control } = start();
    const match = { headers: { via: null }, query: { limit: null, pretty: "true" } };
    const action = { type: "commitThenFail", with: "reset" };
    expect(await control("POST", "faults", { match, action, times: -1 })).toMatchObject({
      status: 200,
    });
    expect((await client.get(`${configMaps}?pretty=true&limit=5`)).status).toBe(200);
    await expect(client.get(`${configMaps}?pretty=true`)).rejects.toThrow(ConnectionResetError);
  });

  test("keeps illegal faults separate", async () => {
    const { client, control } = start();
    const action = { type: "duplicateEvents", match: { type: "ADDED" } };
    await control("POST", "illegal/faults", { action, times: -1 });
    expect((await control("GET", "faults"))["faults"]).toEqual([]);
    await client.createConfigMap("a");
    const watch = await client.watch(`${configMaps}?watch=1`);
    expect(await watch.take(2)).toEqual(["ADDED a", "ADDED a"]);
    expect(await control("POST", "faults", { action })).toMatchObject({ status: 400 });
  });

  test("shows open watches and acts on them", async () => {
    const { client, control } = start();
    const watch = await client.watch(`${configMaps}?watch=1&resourceVersion=0`);
    const { watches } = await control("GET", "watches");
    expect(watches).toMatchObject([
      { id: "watch-1", resource: "configmaps", parameters: { resourceVersion: "0" } },
    ]);
    await control("POST", "watches/watch-1/error", { code: 410 });
    expect(await watch.rest()).toEqual(["ERROR 410"]);
    expect(await control("POST", "watches/watch-1/end")).toMatchObject({
      status: 400,
      error: "No open watch watch-1",
    });
  });

  test("compacts, sets floors, snapshots and restores", async () => {
    const { client, control } = start();
    await client.createConfigMap("a");
    const { id, revision } = await control("POST", "snapshots");
    await client.createConfigMap("b");
    await control("POST", "compact");
    const exact = `${configMaps}?resourceVersionMatch=Exact&resourceVersion=${revision}`;
    expect((await client.get(exact)).status).toBe(410);
    await control("POST", `snapshots/${id}/restore`, { mode: "rollback" });
    expect(await control("GET", "revision")).toMatchObject({ revision });
    expect((await client.get(`${configMaps}/b`)).status).toBe(404);
    expect((await control("POST", "snapshots/9/restore"))["status"]).toBe(400);
  });

  test("waits for barriers, with a limit", async () => {
    const { client, control } = start();
    const match = { resource: "configmaps" };
    const open = control("POST", "when/watch-open", { match });
    await client.watch(`${configMaps}?watch=1`);
    expect((await open)["status"]).toBe(200);
    const never = await control("POST", "when/watch-open", { match, count: 2, timeoutMs: 1 });
    expect(never["status"]).toBe(408);
    expect((await control("POST", "when/request-served", { match }))["status"]).toBe(200);
  });

  test("sets policies: watch-list, bookmarks, front ends, outages", async () => {
    const { client, control, server } = start();
    await control("POST", "watch-list", { mode: "refused" });
    expect(server.control.watchList).toBe("refused");
    await control("POST", "bookmarks", { everyMs: 5, initialEnd: "never" });
    expect(server.control.bookmarks.settings).toMatchObject({ everyMs: 5, initialEnd: "never" });
    await client.createConfigMap("a");
    await control("POST", "front-ends/1/lag", { revisions: 1 });
    await control("POST", "front-ends/route", { to: 1 });
    const { body } = await client.get(`${configMaps}?resourceVersion=0`);
    expect(body["items"]).toEqual([]);
    await control("POST", "shutdown");
    expect((await client.get(configMaps)).status).toBe(503);
    await control("POST", "start");
    expect((await client.get(configMaps)).status).toBe(200);
  });

  test("names invalid and unknown fields", async () => {
    const { client, control } = start();
    const error = async (path: string, body: object) =>
      (await control("POST", path, body))["error"];
    expect(await error("faults", { action: { type: "explode" } })).toMatch(
      /^Expected one of blackhole, .* in action\.type, got "explode"$/,
    );
    expect(await error("faults", { action: { type: "latency", ms: "5" } })).toBe(
      'Expected a number or a list of numbers in action.ms, got "5"',
    );
    expect(await error("faults", { action: { type: "reset" }, time: 3 })).toBe(
      "Unknown field time",
    );
    expect(await error("faults", { match: { verb: "lst" }, action: { type: "reset" } })).toMatch(
      /^Expected one of get, list, .* in match\.verb, got "lst"$/,
    );
    const broken = await client.send("POST", "/__control/faults", undefined, { body: "{" });
    expect(broken.status).toBe(400);
    expect((await control("PUT", "faults", {}))["status"]).toBe(405);
    expect((await control("GET", "nothing"))["status"]).toBe(404);
  });
});

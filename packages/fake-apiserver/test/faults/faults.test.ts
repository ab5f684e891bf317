import {
  ConnectionResetError,
  FakeApiServer,
  UnconsumedFaultsError,
} from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient, configMaps } from "../support/api-client.ts";
import { ManualClock, settle } from "../support/manual-clock.ts";

function start() {
  const clock = new ManualClock();
  const server = new FakeApiServer({ clock, seed: 1 });
  return { clock, server, control: server.control, client: new ApiClient(server) };
}

describe("rules", () => {
  test("strike the first matching request by default, and are counted", async () => {
    const { control, client } = start();
    const fault = control.faults.add({
      match: { verb: "list", resource: "configmaps" },
      action: { type: "status", status: { code: 500 } },
    });
    await client.createConfigMap("a");
    expect((await client.get("/api/v1/secrets")).status).toBe(200);
    expect((await client.get(configMaps)).status).toBe(500);
    expect((await client.get(configMaps)).status).toBe(200);
    expect(fault).toMatchObject({ matched: 1, fired: 1, consumed: true });
    control.faults.assertConsumed();
  });

  test("can strike the nth request, every one after some, or as many as `times`", async () => {
    const { control, client } = start();
    const status = (code: number) => ({ type: "status", status: { code } }) as const;
    control.faults.add({ when: { nth: [2, 4] }, times: 2, action: status(500) });
    control.faults.add({ when: { skip: 4 }, times: Infinity, action: status(503) });
    const codes: number[] = [];
    for (let index = 0; index < 8; index++) codes.push((await client.get(configMaps)).status);
    expect(codes).toEqual([200, 500, 200, 500, 200, 200, 503, 503]);
  });

  test("match by namespace, name, header and query", async () => {
    const { control, client } = start();
    control.faults.add({
      match: {
        namespace: "default",
        name: ["a", "b"],
        headers: { "x-test": "yes" },
        query: { pretty: "true" },
      },
      action: { type: "status", status: { code: 503 } },
    });
    const headers = { "x-test": "yes" };
    const get = async (name: string, query: string, more = headers) =>
      (await client.call("GET", `${configMaps}/${name}${query}`, undefined, { headers: more }))
        .status;
    expect(await get("c", "?pretty=true")).toBe(404);
    expect(await get("b", "?pretty=false")).toBe(404);
    expect(await get("b", "?pretty=true", { ...headers, "x-test": "no" })).toBe(404);
    expect(await get("b", "?pretty=true")).toBe(503);
  });

  test("with a probability strike the same requests for the same seed", async () => {
    const run = async () => {
      const { control, client } = start();
      control.faults.add({
        when: { probability: 0.5 },
        times: Infinity,
        action: { type: "status", status: { code: 500 } },
      });
      const codes: number[] = [];
      for (let index = 0; index < 20; index++) codes.push((await client.get(configMaps)).status);
      return codes;
    };
    const first = await run();
    expect(new Set(first)).toEqual(new Set([200, 500]));
    expect(await run()).toEqual(first);
  });

  test("that were not used make assertConsumed throw with their names", () => {
    const { control } = start();
    control.faults.add({ name: "late 409", action: { type: "reset" }, times: 2 });
    expect(() => control.faults.assertConsumed()).toThrow(UnconsumedFaultsError);
    expect(() => control.faults.assertConsumed()).toThrow(
      "late 409 fired 0 of 2 times (0 requests matched)",
    );
    control.faults.clear();
    control.faults.assertConsumed();
  });

  test("are described by assertConsumed, with the requests that arrived instead", async () => {
    const { control, client } = start();
    await client.get(configMaps);
    const match = { verb: "list", resource: "pods" } as const;
    control.faults.add({ match, when: { skip: 1 }, action: { type: "reset" } });
    control.faults.add({ match: { name: "a" }, action: { type: "headers", set: {} }, times: 2 });
    const streamed = "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
    for (const namespace of ["a", "b"]) {
      const url = `/api/v1/namespaces/${namespace}/pods?${streamed}&allowWatchBookmarks=true`;
      await client.watch(url);
    }
    await client.get("/version");
    await client.get("/apis/apps/v1/namespaces/default/deployments/a/status");
    const seen =
      "2 × watch pods with sendInitialEvents, 1 × GET /version, 1 × get deployments.apps/status";
    expect(() => control.faults.assertConsumed()).toThrow(
      "Expected every fault to be used, but " +
        'fault 1 fired 0 of 1 times (0 requests matched): reset of {"verb":"list",' +
        `"resource":"pods"} when {"skip":1}, while the server got ${seen}; ` +
        `fault 2 fired 1 of 2 times (1 requests matched): headers of {"name":"a"}, while the server got ${seen}`,
    );
    control.faults.clear();
    control.faults.add({ action: { type: "reset" } });
    expect(() => control.faults.assertConsumed()).toThrow(
      "reset of every request, while the server got nothing",
    );
  });

  test("name the most frequent of many requests, and count the others", async () => {
    const { control, client } = start();
    control.faults.add({ match: { name: "none" }, action: { type: "reset" } });
    for (let index = 0; index < 12; index++) await client.send("GET", `/none/${index}`);
    await client.get("/version");
    await client.get("/version");
    expect(() => control.faults.assertConsumed()).toThrow(
      /got 2 × GET \/version, (1 × GET \/none\/\d, ){7}5 others$/,
    );
  });

  test("can be removed", async () => {
    const { control, client } = start();
    control.faults.add({ action: { type: "status", status: { code: 500 } } }).remove();
    expect((await client.get(configMaps)).status).toBe(200);
    expect(control.faults.list()).toEqual([]);
  });
});

describe("responses that replace the server's", () => {
  test("are Status objects with the reason of the code and Retry-After", async () => {
    const { control, client } = start();
    control.faults.add({ action: { type: "status", status: { code: 429, retryAfterSeconds: 7 } } });
    const { status, headers, body } = await client.get(configMaps);
    expect(status).toBe(429);
    expect(headers.get("retry-after")).toBe("7");
    expect(body).toMatchObject({
      kind: "Status",
      reason: "TooManyRequests",
      details: { retryAfterSeconds: 7 },
      code: 429,
    });
  });

  test("name the object where the server would", async () => {
    const { control, client } = start();
    const messages: string[] = [];
    for (const code of [403, 404, 409, 422]) {
      control.faults.add({ action: { type: "status", status: { code } } });
      const { body } = await client.updateConfigMap("a", {});
      messages.push(`${body["reason"]} ${body["details"]?.name}: ${body["message"]}`);
    }
    expect(messages).toEqual([
      'Forbidden a: configmaps "a" is forbidden: a fault was injected',
      'NotFound a: configmaps "a" not found',
      'Conflict a: Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
      "Invalid undefined: a fault was injected",
    ]);
  });

  test("can have other headers than the server's", async () => {
    const { control, client } = start();
    control.faults.add({ action: { type: "headers", set: { connection: "close", via: "proxy" } } });
    const { status, headers } = await client.get(configMaps);
    expect([status, headers.get("connection"), headers.get("via")]).toEqual([
      200,
      "close",
      "proxy",
    ]);
  });

  test("can be the HTML of a load balancer, or nothing", async () => {
    const { control, client } = start();
    control.faults.add({
      action: { type: "respond", status: 502, body: "<html>Bad Gateway</html>" },
    });
    control.faults.add({ action: { type: "respond", status: 503 } });
    const html = await client.send("GET", configMaps);
    expect([html.status, html.headers.get("content-type")]).toEqual([502, "text/html"]);
    expect(await html.text()).toBe("<html>Bad Gateway</html>");
    const empty = await client.send("GET", configMaps);
    expect([empty.status, await empty.text()]).toEqual([503, ""]);
  });

  test("can be a broken connection, without effect on the server", async () => {
    const { control, client } = start();
    control.faults.add({ match: { verb: "create" }, action: { type: "reset" } });
    await expect(client.createConfigMap("a")).rejects.toThrow(ConnectionResetError);
    expect((await client.get(`${configMaps}/a`)).status).toBe(404);
  });

  test("can be missing: a black hole ends with the client's abort", async () => {
    const { control, client } = start();
    control.faults.add({ action: { type: "blackhole" } });
    const abort = new AbortController();
    let settled = false;
    const answer = client
      .send("GET", configMaps, undefined, { signal: abort.signal })
      .finally(() => (settled = true));
    await settle();
    expect(settled).toBe(false);
    abort.abort(new Error("client gave up"));
    await expect(answer).rejects.toThrow("client gave up");
  });
});

describe("commit, then fail", () => {
  test("stores the write and breaks the connection", async () => {
    const { control, client } = start();
    control.faults.add({ match: { verb: "create" }, action: { type: "commitThenFail" } });
    await expect(client.createConfigMap("a")).rejects.toThrow(ConnectionResetError);
    expect((await client.get(`${configMaps}/a`)).status).toBe(200);
    expect((await client.createConfigMap("a")).body["reason"]).toBe("AlreadyExists");
  });

  test("can respond with a Status instead", async () => {
    const { control, client } = start();
    control.faults.add({
      match: { verb: "create" },
      action: { type: "commitThenFail", with: { code: 504 } },
    });
    expect((await client.createConfigMap("a")).status).toBe(504);
    expect((await client.get(`${configMaps}/a`)).status).toBe(200);
  });
});

describe("latency", () => {
  test("delays the request by the server's clock", async () => {
    const { clock, control, client } = start();
    control.faults.add({ action: { type: "latency", ms: 250 } });
    let status = 0;
    const answer = client.get(configMaps).then((result) => (status = result.status));
    await clock.advance(249);
    expect(status).toBe(0);
    await clock.advance(1);
    await answer;
    expect(status).toBe(200);
  });

  test("in a range is derived from the seed", async () => {
    const times = async () => {
      const { clock, control, client } = start();
      control.faults.add({ action: { type: "latency", ms: [100, 200] } });
      const began = clock.now();
      let served = 0;
      const answer = client.get(configMaps).then(() => (served = clock.now() - began));
      for (let step = 0; step < 200; step++) await clock.advance(1);
      await answer;
      return served;
    };
    const first = await times();
    expect(first).toBeGreaterThanOrEqual(100);
    expect(first).toBeLessThanOrEqual(200);
    expect(await times()).toBe(first);
  });

  test("ends when the client aborts", async () => {
    const { clock, control, client } = start();
    control.faults.add({ action: { type: "latency", ms: 1000 } });
    const abort = new AbortController();
    const timersBefore = clock.pendingTimers;
    const answer = client.send("GET", configMaps, undefined, { signal: abort.signal });
    abort.abort(new Error("too slow"));
    await expect(answer).rejects.toThrow("too slow");
    expect(clock.pendingTimers).toBe(timersBefore);
  });
});

describe("bodies of lists", () => {
  test("can be cut, slowed and broken", async () => {
    const { clock, control, client } = start();
    await client.createConfigMap("a");
    const whole = await (await client.send("GET", configMaps)).text();
    control.faults.add({ action: { type: "truncate", at: { afterBytes: 10 } } });
    expect(await (await client.send("GET", configMaps)).text()).toBe(whole.slice(0, 10));
    control.faults.add({ action: { type: "truncate", at: { afterBytes: 10, then: "reset" } } });
    const broken = await client.send("GET", configMaps);
    // Browsers replace the error of a body by their own.
    await expect(broken.text()).rejects.toThrow(TypeError);
    control.faults.add({ action: { type: "slow", bytesPerSecond: whole.length } });
    let text = "";
    const slow = (await client.send("GET", configMaps)).text().then((result) => (text = result));
    await clock.advance(900);
    expect(text).toBe("");
    await clock.advance(200);
    await slow;
    expect(text).toBe(whole);
  });
});

describe("expireMidList", () => {
  test("expires the continue token of the first page, and returns a new one", async () => {
    const { control, client } = start();
    for (const name of ["a", "b", "c"]) await client.createConfigMap(name);
    control.expireMidList();
    const first = await client.get(`${configMaps}?limit=1`);
    const token = encodeURIComponent(String(first.body["metadata"].continue));
    const expired = await client.get(`${configMaps}?limit=1&continue=${token}`);
    expect(expired.status).toBe(410);
    expect(expired.body["reason"]).toBe("Expired");
    const fresh = encodeURIComponent(String(expired.body["metadata"].continue));
    const rest = await client.get(`${configMaps}?limit=5&continue=${fresh}`);
    expect(
      rest.body["items"].map((item: { metadata: { name: string } }) => item.metadata.name),
    ).toEqual(["b", "c"]);
    control.faults.assertConsumed();
  });
});

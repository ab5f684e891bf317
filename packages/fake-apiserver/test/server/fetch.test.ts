import { FakeApiServer, withControlEndpoints } from "@listwatch/fake-apiserver";
import { describe, expect, expectTypeOf, test } from "vitest";

const path = "/api/v1/namespaces/default/configmaps";
const address = `http://localhost${path}`;
const headers = { "content-type": "application/json" };
const post = { method: "POST", headers, body: '{"metadata":{"name":"a"}}' };

describe.each([
  ["FakeApiServer", () => new FakeApiServer()],
  ["withControlEndpoints", () => withControlEndpoints(new FakeApiServer())],
])("the fetch of %s", (_, make) => {
  test.each([
    ["a text", address],
    ["a URL", new URL(address)],
    ["a Request", new Request(address)],
    ["a relative address", path],
  ])("accepts %s", async (__, input) => {
    const { fetch } = make();
    const answer = await fetch(input);
    expect([answer.status, (await answer.json()).kind]).toEqual([200, "ConfigMapList"]);
  });

  test.each([
    ["a text", address],
    ["a URL", new URL(address)],
    ["a Request", new Request(address)],
  ])("accepts %s with further members in init, which take precedence", async (__, input) => {
    const { fetch } = make();
    expect((await fetch(input, post)).status).toBe(201);
    expect((await fetch(new Request(input, post), { method: "PUT" })).status).toBe(405);
    const list = await (await fetch(input)).json();
    expect(list.items).toHaveLength(1);
  });

  test("is aborted by the signal of init", async () => {
    const stop = new AbortController();
    const { fetch } = make();
    const watch = await fetch(`${address}?watch=1`, { signal: stop.signal });
    const reading = watch.text().catch((error: unknown) => error);
    stop.abort(new Error("stopped"));
    await reading;
    await expect(fetch(address, { signal: stop.signal })).rejects.toThrow("stopped");
  });

  test("rejects the same arguments as fetch", async () => {
    const { fetch } = make();
    await expect(fetch("http://[")).rejects.toThrow(TypeError);
  });

  test.each([
    ["a password in an address", "http://user:password@localhost/", {}],
    ["a GET with a body", address, { method: "GET", body: "x" }],
  ])("accepts or rejects %s like the runtime", async (_what, input, init) => {
    const { fetch } = make();
    const requested = (async () => new Request(input, init))();
    const [wanted, got] = await Promise.allSettled([requested, fetch(input, init)]);
    expect(got.status).toBe(wanted.status);
  });
});

test("its type equals that of fetch", () => {
  expectTypeOf(new FakeApiServer().fetch).toExtend<typeof globalThis.fetch>();
  expectTypeOf(withControlEndpoints(new FakeApiServer()).fetch).toExtend<typeof fetch>();
});

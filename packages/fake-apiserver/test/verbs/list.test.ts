import { FakeApiServer } from "@listwatch/fake-apiserver";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ApiClient, configMaps, type Json } from "../support/api-client.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { widgetsCrd } from "../support/widgets-crd.ts";

const allConfigMaps = "/api/v1/configmaps";

function names(list: Json): readonly string[] {
  const items = list["items"] as readonly Json[];
  return items.map(({ metadata }) => metadata["name"] as string);
}

async function withConfigMaps(
  count: number,
): Promise<{ server: FakeApiServer; client: ApiClient }> {
  const server = new FakeApiServer({ seed: 1 });
  const client = new ApiClient(server);
  for (let index = 0; index < count; index++) await client.createConfigMap(`c${index}`, { a: "1" });
  return { server, client };
}

describe("a list", () => {
  test("of built-in objects has kind and apiVersion only on the list (API-0.14)", async () => {
    const { client } = await withConfigMaps(1);
    const { body } = await client.get(configMaps);
    expect(body).toMatchObject({ kind: "ConfigMapList", apiVersion: "v1" });
    expect(Object.keys(body["items"][0] as Json)).toEqual(["metadata", "data"]);
    expect(Object.keys(body["metadata"] as Json)).toEqual(["resourceVersion"]);
  });

  test("without objects, even in a missing namespace, has an empty items array", async () => {
    const { client } = await withConfigMaps(0);
    const { body, status } = await client.get("/api/v1/namespaces/nowhere/configmaps");
    expect(status).toBe(200);
    expect(body["items"]).toEqual([]);
  });

  test("is in byte order of namespace/name (API-0.13)", async () => {
    const { client } = await withConfigMaps(0);
    for (const namespace of ["a", "a-b", "b"]) {
      const object = { metadata: { name: "x" } };
      await client.call("POST", "/api/v1/namespaces", { metadata: { name: namespace } });
      await client.call("POST", `/api/v1/namespaces/${namespace}/configmaps`, object);
    }
    const { body } = await client.get(allConfigMaps);
    const items = body["items"] as readonly Json[];
    expect(items.map(({ metadata }) => metadata["namespace"] as string)).toEqual(["a-b", "a", "b"]);
  });

  test("at an exact version returns that state", async () => {
    const { client } = await withConfigMaps(2);
    const { body } = await client.get(configMaps);
    const version = String(body["metadata"]["resourceVersion"]);
    await client.updateConfigMap("c0", { changed: "yes" });
    await client.call("DELETE", `${configMaps}/c1`);
    const exact = `resourceVersion=${version}&resourceVersionMatch=Exact`;
    const past = await client.get(`${configMaps}?${exact}`);
    expect(past.body).toEqual(body);
  });

  test("with version 0 ignores the limit (API-1.8)", async () => {
    const { client } = await withConfigMaps(3);
    const { body } = await client.get(`${configMaps}?resourceVersion=0&limit=1`);
    expect(names(body)).toHaveLength(3);
    expect(body["metadata"]).not.toHaveProperty("continue");
  });

  test("at a future version waits 3 s and returns 504, or continues when it is reached (API-0.10)", async () => {
    const clock = new ManualClock();
    const server = new FakeApiServer({ clock, seed: 1 });
    const client = new ApiClient(server);
    const next = server.control.revision + 1;
    const early = client.get(`${configMaps}?resourceVersion=${next}`);
    await clock.advance(2900);
    await client.createConfigMap("a");
    expect(names((await early).body)).toEqual(["a"]);
    const late = client.get(`${configMaps}?resourceVersion=${next + 1}`);
    await clock.advance(3000);
    expect(await late).toMatchObject({
      status: 504,
      body: {
        reason: "Timeout",
        details: { retryAfterSeconds: 1, causes: [{ reason: "ResourceVersionTooLarge" }] },
      },
    });
    expect((await late).headers.get("retry-after")).toBe("1");
  });

  test.each([
    ["resourceVersion=18446744073709551616", "value out of range"],
    ["resourceVersion=1e3", "invalid syntax"],
    ["limit=9223372036854775808", "value out of range"],
    ["limit=1.5", "invalid syntax"],
    ["limit=", 'parsing "": invalid syntax'],
    ["continue=abc&resourceVersion=5", "continue key is not valid"],
    [
      `continue=${btoa('{"v":"meta.k8s.io/v1","rv":1,"start":"/a"}')}&resourceVersion=5`,
      "specifying",
    ],
  ])("with %s returns 400 (API-1.8)", async (query, why) => {
    const { client } = await withConfigMaps(0);
    const { body, status } = await client.get(`${configMaps}?${query}`);
    expect(status).toBe(400);
    expect(body["message"]).toContain(why);
  });
});

describe("a paged list", () => {
  test("that continues at a future version waits 3 s and returns 504 (API-1.8)", async () => {
    const clock = new ManualClock();
    const client = new ApiClient(new FakeApiServer({ clock, seed: 1 }));
    const token = btoa('{"v":"meta.k8s.io/v1","rv":9999,"start":"/a"}').replaceAll("=", "");
    const answer = client.get(`${configMaps}?continue=${token}`);
    await clock.advance(3000);
    expect(await answer).toMatchObject({
      status: 504,
      body: { details: { causes: [{ reason: "ResourceVersionTooLarge" }] } },
    });
  });

  test("returns one consistent state, despite writes between the pages", async () => {
    const writes = fc.array(fc.tuple(fc.nat(11), fc.constantFrom("update", "delete", "create")), {
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 5 }), writes, async (limit, steps) => {
        const { client } = await withConfigMaps(8);
        const whole = await client.get(configMaps);
        const pending = [...steps];
        const items: Json[] = [];
        let token = "";
        do {
          const { body } = await client.get(`${configMaps}?limit=${limit}&continue=${token}`);
          items.push(...(body["items"] as readonly Json[]));
          expect(body["metadata"]["resourceVersion"]).toBe(
            whole.body["metadata"]["resourceVersion"],
          );
          token = String(body["metadata"]["continue"] ?? "");
          const remaining = Number(body["metadata"]["remainingItemCount"] ?? 0);
          expect(items.length + remaining).toBe(8);
          for (const [number, action] of pending.splice(0, 3)) {
            if (action === "update") await client.updateConfigMap(`c${number}`, { x: token });
            else if (action === "create") await client.createConfigMap(`c${number}`);
            else await client.call("DELETE", `${configMaps}/c${number}`);
          }
        } while (token !== "");
        expect(items).toEqual(whole.body["items"]);
      }),
      { numRuns: 30 },
    );
  });

  test("continues after 410 with the token of the error, at the newest state", async () => {
    const { client, server } = await withConfigMaps(3);
    const first = await client.get(`${configMaps}?limit=1`);
    await client.createConfigMap("c9");
    server.control.compact();
    const token = String(first.body["metadata"]["continue"]);
    const refusal = await client.get(`${configMaps}?limit=1&continue=${token}`);
    expect(refusal).toMatchObject({ status: 410, body: { reason: "Expired" } });
    const fresh = String(refusal.body["metadata"]["continue"]);
    const rest = await client.get(`${configMaps}?continue=${fresh}`);
    expect(names(rest.body)).toEqual(["c1", "c2", "c9"]);
  });

  test("continues until the limit is reached when it has a selector", async () => {
    const { client } = await withConfigMaps(6);
    for (const name of ["c1", "c4"]) {
      const path = `${configMaps}/${name}`;
      await client.call("PATCH", path, { metadata: { labels: { pick: "me" } } });
    }
    const first = await client.get(`${configMaps}?limit=1&labelSelector=pick`);
    expect(names(first.body)).toEqual(["c1"]);
    expect(first.body["metadata"]).not.toHaveProperty("remainingItemCount");
    const token = String(first.body["metadata"]["continue"]);
    const second = await client.get(`${configMaps}?limit=1&labelSelector=pick&continue=${token}`);
    expect(names(second.body)).toEqual(["c4"]);
  });

  test("by the name of an object has one page", async () => {
    const { client } = await withConfigMaps(3);
    const { body } = await client.get(`${configMaps}?limit=1&fieldSelector=metadata.name=c1`);
    expect(names(body)).toEqual(["c1"]);
    expect(body["metadata"]).not.toHaveProperty("continue");
  });

  test("of namespaces selected by field narrows a list of all namespaces", async () => {
    const { client } = await withConfigMaps(2);
    await client.call("POST", "/api/v1/namespaces", { metadata: { name: "other" } });
    await client.call("POST", "/api/v1/namespaces/other/configmaps", { metadata: { name: "o" } });
    const selector = "fieldSelector=metadata.namespace=other";
    const { body } = await client.get(`${allConfigMaps}?${selector}`);
    expect(names(body)).toEqual(["o"]);
  });
});

describe("a sharded list (KEP-5866)", () => {
  const half = "shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')";
  const other = "shardRange(object.metadata.uid, '0x8000000000000000', '0x10000000000000000')";

  async function shards(enabled: boolean): Promise<readonly number[]> {
    const server = new FakeApiServer({ seed: 1, shardedListAndWatch: enabled });
    const client = new ApiClient(server);
    for (let index = 0; index < 20; index++) await client.createConfigMap(`c${index}`);
    const sizes: number[] = [];
    for (const shard of [half, other]) {
      const query = `shardSelector=${encodeURIComponent(shard)}`;
      sizes.push(names((await client.get(`${configMaps}?${query}`)).body).length);
    }
    return sizes;
  }

  test("divides the objects when the feature is on, and is ignored when it is off (SHD-1, API-1.21)", async () => {
    const [left = 0, right = 0] = await shards(true);
    expect(left + right).toBe(20);
    expect(left).toBeGreaterThan(0);
    expect(right).toBeGreaterThan(0);
    expect(await shards(false)).toEqual([20, 20]);
  });

  test("echoes its selector in the metadata of a typed list, and in no other (SHD-3)", async () => {
    const query = `shardSelector=${encodeURIComponent(half)}`;
    const partial = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
    const table = "application/json;as=Table;v=v1;g=meta.k8s.io";
    const options = { seed: 1, shardedListAndWatch: true, crds: [widgetsCrd({ type: "object" })] };
    const on = new ApiClient(new FakeApiServer(options));
    const metadataOf = async (
      client: ApiClient,
      path: string,
      accept = "application/json",
    ): Promise<unknown> =>
      (await client.call("GET", path, undefined, { headers: { accept } })).body["metadata"];
    for (let index = 0; index < 20; index++) await on.createConfigMap(`c${index}`);
    const paths = [`${configMaps}?${query}`, `${configMaps}?${query}&limit=1`];
    for (const path of [...paths, `${paths[0]}&fieldSelector=metadata.name=c1`]) {
      expect(await metadataOf(on, path)).toMatchObject({ shardInfo: { selector: half } });
    }
    const tight = half.replaceAll(", ", ",");
    const inOtherWords = `${configMaps}?shardSelector=${encodeURIComponent(tight)}`;
    expect(await metadataOf(on, inOtherWords)).toMatchObject({ shardInfo: { selector: half } });
    expect(await metadataOf(on, configMaps)).not.toHaveProperty("shardInfo");
    for (const accept of [partial, table]) {
      expect(await metadataOf(on, paths[0] ?? "", accept)).not.toHaveProperty("shardInfo");
    }
    const custom = `/apis/example.com/v1/widgets?${query}`;
    expect(await metadataOf(on, custom)).not.toHaveProperty("shardInfo");
    const off = new ApiClient(new FakeApiServer());
    expect(await metadataOf(off, paths[0] ?? "")).not.toHaveProperty("shardInfo");
  });

  test("returns 500 for an invalid selector", async () => {
    const client = new ApiClient(new FakeApiServer({ shardedListAndWatch: true }));
    const { body, status } = await client.get(`${configMaps}?shardSelector=nonsense`);
    expect(status).toBe(500);
    expect(body["message"]).toContain("invalid shard selector");
  });
});

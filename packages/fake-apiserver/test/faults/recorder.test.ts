import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient, configMaps } from "../support/api-client.ts";
import { ManualClock } from "../support/manual-clock.ts";

function start() {
  const clock = new ManualClock();
  const server = new FakeApiServer({ clock, seed: 1 });
  return {
    clock,
    recorder: server.control.recorder,
    control: server.control,
    client: new ApiClient(server),
  };
}

describe("the recorder", () => {
  test("records requests and responses in order, with the clock's time", async () => {
    const { clock, recorder, client } = start();
    await client.createConfigMap("a", { x: "1" });
    await clock.advance(1500);
    await client.watch(`${configMaps}?watch=1&resourceVersion=0`, {
      headers: { "x-client": "informer/1" },
    });
    const [create, watch] = recorder.list();
    expect(create).toMatchObject({
      id: 1,
      method: "POST",
      path: configMaps,
      verb: "create",
      group: "",
      version: "v1",
      resource: "configmaps",
      namespace: "default",
      status: 201,
      watchId: undefined,
    });
    expect(JSON.parse(create?.body ?? "")).toMatchObject({ data: { x: "1" } });
    expect(watch).toMatchObject({
      verb: "watch",
      search: "watch=1&resourceVersion=0",
      status: 200,
      watchId: "watch-1",
    });
    expect(watch?.headers.get("x-client")).toBe("informer/1");
    expect((watch?.time ?? 0) - (create?.time ?? 0)).toBe(1500);
  });

  test("finds the requests that match", async () => {
    const { recorder, client } = start();
    await client.get(configMaps);
    await client.get("/api/v1/secrets");
    await client.get(`${configMaps}/a`);
    expect(recorder.list({ verb: "list" }).map(({ resource }) => resource)).toEqual([
      "configmaps",
      "secrets",
    ]);
    expect(recorder.list({ resource: "configmaps", verb: "get" })).toHaveLength(1);
  });

  test("records responses of faults; a broken connection has no status", async () => {
    const { recorder, control, client } = start();
    control.faults.add({ action: { type: "status", status: { code: 503 } } });
    control.faults.add({ action: { type: "reset" } });
    await client.get(configMaps);
    await expect(client.get(configMaps)).rejects.toThrow("reset the connection");
    expect(recorder.list().map(({ status }) => status)).toEqual([503, undefined]);
  });

  test("keeps the newest up to its limit and counts all", async () => {
    const { recorder, client } = start();
    recorder.limit = 3;
    for (const name of ["a", "b", "c", "d", "e", "f", "g"]) await client.createConfigMap(name);
    expect(recorder.count).toBe(7);
    const kept = recorder.list();
    expect(kept.map(({ id }) => id)).toEqual([5, 6, 7]);
    expect(kept.every(({ body }) => body !== undefined)).toBe(true);
  });

  test("is empty after clear", async () => {
    const { recorder, client } = start();
    await client.get(configMaps);
    recorder.clear();
    expect([recorder.count, recorder.list()]).toEqual([0, []]);
    await client.get(configMaps);
    expect(recorder.list().map(({ id }) => id)).toEqual([2]);
  });
});

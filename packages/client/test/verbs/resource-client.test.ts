import {
  createClient,
  createConnection,
  isAlreadyExists,
  isConflict,
  isNotFound,
  isNetworkError,
  StatusError,
  type JsonPatch,
} from "@listwatch/client";
import type { KubernetesObject } from "@listwatch/core-fifo";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { answering, failureOf } from "../support/answering.ts";

interface ConfigMap extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
}

const resource = { group: "", version: "v1", resource: "configmaps" };

describe("ResourceClient", () => {
  test("creates, reads, replaces, patches and deletes", async () => {
    const { fetch } = new FakeApiServer();
    const client = createClient(createConnection({ server: "http://fake", fetch }));
    const configMaps = client.resource<ConfigMap>(resource);
    const metadata = { namespace: "default", name: "a" };
    const created = await configMaps.create({ metadata, data: { x: "1" } });
    const updated = await configMaps.update({ ...created, data: { x: "2" } });
    expect(updated.data).toEqual({ x: "2" });
    await expect(configMaps.update({ ...created, data: {} })).rejects.toSatisfy(isConflict);
    await expect(configMaps.create({ metadata })).rejects.toSatisfy(isAlreadyExists);
    const operations: JsonPatch = [{ op: "add", path: "/data/y", value: "3" }];
    await configMaps.patch("default/a", operations, { type: "json" });
    expect((await configMaps.get("default/a")).data).toEqual({ x: "2", y: "3" });
    await expect(configMaps.delete("default/a", { uid: "other" })).rejects.toSatisfy(isConflict);
    await configMaps.delete("default/a");
    await expect(configMaps.get("default/a")).rejects.toSatisfy(isNotFound);
  });

  test("renews credentials once after a 401, and reports a response that is not a Status by its code", async () => {
    const refreshes: boolean[] = [];
    const { connection } = answering(
      (request) =>
        request.headers.get("authorization") === "new"
          ? new Response("<html>", { status: 502, headers: { "retry-after": "7" } })
          : new Response(null, { status: 401 }),
      {
        server: "http://server/",
        headers: ({ refresh }) => {
          refreshes.push(refresh);
          return { authorization: refresh ? "new" : "old" };
        },
      },
    );
    const error = await failureOf(
      createClient(connection, { retries: 0 }).resource(resource).get("default/a"),
    );
    expect(refreshes).toEqual([false, true]);
    expect(error).toBeInstanceOf(StatusError);
    expect(error).toMatchObject({ httpCode: 502, retryAfterMs: 7000 });
  });

  test("adds the type of the handle to written objects", async () => {
    const { connection, requests } = answering(() => Response.json({}));
    const widgets = { group: "example.com", version: "v2", resource: "widgets", kind: "Widget" };
    await createClient(connection, { fieldManager: "me" })
      .resource(widgets)
      .create({ metadata: { namespace: "a", name: "b" } });
    expect(requests[0]?.url).toBe(
      "http://server/apis/example.com/v2/namespaces/a/widgets?fieldManager=me&fieldValidation=Strict",
    );
    expect(await requests[0]?.json()).toMatchObject({
      apiVersion: "example.com/v2",
      kind: "Widget",
    });
  });

  test("distinguishes an interrupted response from one that is not JSON", async () => {
    const page = answering(() => new Response("<html>")).connection;
    const html = await failureOf(createClient(page).resource(resource).get("a/b"));
    expect(html).toMatchObject({ code: "LW_DECODE", start: "<html>" });
    const broken = answering(
      () =>
        new Response(new ReadableStream({ pull: (body) => body.error(new TypeError("reset")) })),
    ).connection;
    const failure = await failureOf(
      createClient(broken, { retries: 0 }).resource(resource).get("a/b"),
    );
    expect(isNetworkError(failure)).toBe(true);
  });

  test("rejects with the reason of its signal", async () => {
    const { connection, requests } = answering(() => Response.json({}));
    const reason = new Error("stopped before");
    const client = createClient(connection).resource(resource);
    const failure = await failureOf(client.get("a/b", { signal: AbortSignal.abort(reason) }));
    expect(failure).toBe(reason);
    expect(requests).toEqual([]);
  });
});

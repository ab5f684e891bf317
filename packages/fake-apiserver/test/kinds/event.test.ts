import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient, type Json } from "../support/api-client.ts";

const core = "/api/v1/namespaces/default/events";
const events = "/apis/events.k8s.io/v1/namespaces/default/events";

/** The same Event in the form of each group. */
const coreEvent = {
  metadata: { name: "e", labels: { app: "web" } },
  involvedObject: { kind: "Pod", namespace: "default", name: "p" },
  related: { kind: "Node", name: "n" },
  reason: "Pulled",
  message: "Image pulled",
  source: { component: "kubelet", host: "n" },
  firstTimestamp: "2024-01-01T00:00:00Z",
  lastTimestamp: "2024-01-01T00:01:00Z",
  count: 3,
  type: "Normal",
  eventTime: "2024-01-01T00:00:00.000000Z",
  series: { count: 3, lastObservedTime: "2024-01-01T00:01:00.000000Z" },
  action: "Pulling",
  reportingComponent: "kubelet",
  reportingInstance: "n",
};
const eventsEvent = {
  metadata: { name: "e", labels: { app: "web" } },
  regarding: { kind: "Pod", namespace: "default", name: "p" },
  related: { kind: "Node", name: "n" },
  reason: "Pulled",
  note: "Image pulled",
  deprecatedSource: { component: "kubelet", host: "n" },
  deprecatedFirstTimestamp: "2024-01-01T00:00:00Z",
  deprecatedLastTimestamp: "2024-01-01T00:01:00Z",
  deprecatedCount: 3,
  type: "Normal",
  eventTime: "2024-01-01T00:00:00.000000Z",
  series: { count: 3, lastObservedTime: "2024-01-01T00:01:00.000000Z" },
  action: "Pulling",
  reportingController: "kubelet",
  reportingInstance: "n",
};

function start(): { readonly client: ApiClient; readonly server: FakeApiServer } {
  // New Events of events.k8s.io have no deprecated fields; here all fields should be visible.
  const server = new FakeApiServer({ seed: 1, validation: "off" });
  return { client: new ApiClient(server), server };
}

/** Returns an object without the metadata that the server adds. */
function asSent({ apiVersion: _version, kind: _kind, metadata, ...fields }: Json): object {
  return { metadata: { name: metadata.name, labels: metadata.labels }, ...fields };
}

describe("Events of core/v1 and events.k8s.io/v1 (API-1.17)", () => {
  test.each([
    ["core/v1", core, coreEvent, "events.k8s.io/v1", events, eventsEvent],
    ["events.k8s.io/v1", events, eventsEvent, "v1", core, coreEvent],
  ])("written as %s are readable through both groups, in the form of each", async (...row) => {
    const [, path, sent, otherVersion, otherPath, expected] = row;
    const { client } = start();
    const created = await client.call("POST", path, sent);
    expect([created.status, asSent(created.body)]).toEqual([201, sent]);
    const { body: other } = await client.get(`${otherPath}/e`);
    expect([other["apiVersion"], other["kind"]]).toEqual([otherVersion, "Event"]);
    expect(asSent(other)).toEqual(expected);
    expect(other["metadata"]).toEqual(created.body["metadata"]);
    const { body: list } = await client.get(otherPath);
    expect(list["apiVersion"]).toBe(otherVersion);
    expect(list["items"].map(asSent)).toEqual([expected]);
  });

  test("are one object: updates, patches and deletes through either group change it", async () => {
    const { client } = start();
    await client.call("POST", core, coreEvent);
    const taken = await client.call("POST", events, eventsEvent);
    expect([taken.status, taken.body["message"]]).toEqual([
      409,
      'events.events.k8s.io "e" already exists',
    ]);
    const patched = await client.call("PATCH", `${events}/e`, {
      note: "again",
      deprecatedCount: 4,
      regarding: { fieldPath: "spec" },
    });
    expect(patched.body).toMatchObject({ note: "again", deprecatedCount: 4 });
    const { body } = await client.get(`${core}/e`);
    expect(body).toMatchObject({
      message: "again",
      count: 4,
      involvedObject: { kind: "Pod", fieldPath: "spec" },
      metadata: { resourceVersion: patched.body["metadata"].resourceVersion },
    });
    expect(body).not.toHaveProperty("note");
    const { note: _note, ...silent } = eventsEvent;
    const replaced = await client.call("PUT", `${events}/e`, silent);
    expect(replaced.body).not.toHaveProperty("note");
    expect((await client.get(`${core}/e`)).body).not.toHaveProperty("message");
    const same = await client.call("PUT", `${events}/e`, silent);
    expect(same.body["metadata"]).toEqual(replaced.body["metadata"]);
    expect((await client.call("DELETE", `${events}/e`)).status).toBe(200);
    expect((await client.get(`${core}/e`)).status).toBe(404);
  });

  test("are delivered by watches of both groups, from any writer", async () => {
    const { client } = start();
    const watches = await Promise.all(
      [core, events].map((path) => client.watch(`${path}?watch=1&resourceVersion=0`)),
    );
    await client.call("POST", core, coreEvent);
    await client.call("PATCH", `${events}/e`, { note: "again" });
    await client.call("DELETE", `${core}/e`);
    const seen = [];
    for (const watch of watches) {
      for (let count = 0; count < 3; count++) {
        const { type, object } = (await watch.next()) ?? { type: "none", object: {} };
        seen.push([type, object["apiVersion"], object["message"], object["note"]]);
      }
    }
    expect(seen).toEqual([
      ["ADDED", "v1", "Image pulled", undefined],
      ["MODIFIED", "v1", "again", undefined],
      ["DELETED", "v1", "again", undefined],
      ["ADDED", "events.k8s.io/v1", undefined, "Image pulled"],
      ["MODIFIED", "events.k8s.io/v1", undefined, "again"],
      ["DELETED", "events.k8s.io/v1", undefined, "again"],
    ]);
  });

  test.each([
    [core, "involvedObject.name=p,reportingComponent=kubelet,source=kubelet"],
    [events, "regarding.name=p,reportingController=kubelet,source=kubelet,type=Normal"],
  ])("are selectable on %s by the fields of its group: %s", async (path, selector) => {
    const { client } = start();
    const other = path === core ? events : core;
    await client.call("POST", other, other === core ? coreEvent : eventsEvent);
    await client.call("POST", path, { metadata: { name: "other" } });
    const { body } = await client.get(`${path}?fieldSelector=${encodeURIComponent(selector)}`);
    expect(body["items"].map((item: Json) => item["metadata"].name)).toEqual(["e"]);
    const wrong = await client.get(
      `${other}?fieldSelector=${encodeURIComponent(selector.split(",")[0] ?? "")}`,
    );
    expect(wrong.status).toBe(400);
  });

  test("need a name only if they are valid", async () => {
    const client = new ApiClient(new FakeApiServer({ validation: "full" }));
    const { metadata: _metadata, eventTime: _time, ...nameless } = coreEvent;
    const involvedObject = { kind: "Pod", namespace: "x", name: "p" };
    const wrong = await client.call("POST", core, { ...nameless, involvedObject });
    expect(wrong.body["message"]).toBe(
      'Event "" is invalid: involvedObject.namespace: Invalid value: "x": does not match event.namespace',
    );
    const { body } = await client.call("POST", core, nameless);
    expect(body["message"]).toBe(
      'Event "" is invalid: metadata.name: Required value: name or generateName is required',
    );
  });

  test("drop fields of the other version as unknown", async () => {
    const { client } = start();
    await client.call("POST", events, { metadata: { name: "e" }, note: "a", message: "b" });
    expect((await client.get(`${core}/e`)).body["message"]).toBe("a");
    await client.call("POST", core, { metadata: { name: "f" }, note: "a", message: "b" });
    expect((await client.get(`${events}/f`)).body["note"]).toBe("b");
  });

  test("can be given to the constructor in either form, and are logged once", async () => {
    const server = new FakeApiServer({
      validation: "off",
      seed: 1,
      objects: [{ ...eventsEvent, apiVersion: "events.k8s.io/v1", kind: "Event" }],
    });
    const client = new ApiClient(server);
    expect(asSent((await client.get(`${core}/e`)).body)).toEqual(coreEvent);
    const logged = (resource?: string) =>
      server.control
        .eventLog(resource)
        .filter(({ object }) => object["kind"] === "Event")
        .map((one) => [one.resource, one.object["apiVersion"]]);
    expect(logged()).toEqual([["events", "v1"]]);
    expect(logged("events.events.k8s.io")).toEqual([["events.events.k8s.io", "events.k8s.io/v1"]]);
  });

  test("are deleted with their namespace, once", async () => {
    const { client, server } = start();
    await client.call("POST", "/api/v1/namespaces", { metadata: { name: "n" } });
    await client.call("POST", "/apis/events.k8s.io/v1/namespaces/n/events", eventsEvent);
    await client.call("DELETE", "/api/v1/namespaces/n");
    expect((await client.get("/api/v1/namespaces/n")).status).toBe(404);
    const types = server.control.eventLog("events").map(({ type }) => type);
    expect(types).toEqual(["ADDED", "DELETED"]);
  });

  test("share a watch floor", async () => {
    const { client, server } = start();
    await client.call("POST", core, coreEvent);
    server.control.watchFloor("events.events.k8s.io", server.control.revision);
    const watch = await client.watch(`${core}?watch=1&resourceVersion=1`);
    expect(await watch.next()).toMatchObject({ type: "ERROR", object: { code: 410 } });
  });
});

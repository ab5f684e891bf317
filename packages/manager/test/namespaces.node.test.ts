// Not in Chromium, like all elections.
import { createClient, createConnection } from "@listwatch/client";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { createManager } from "@listwatch/manager";
import { configmaps } from "@listwatch/resources/core/v1";
import { describe, expect, test } from "vitest";
import { checkIdle } from "./support/cluster.ts";
import { LineLog } from "./support/lines.ts";
import { widgetsCrd } from "./support/widgets-crd.ts";

const rbac = "rbac.authorization.k8s.io";
const server = "http://cluster";

/** A Role in a namespace and its binding to a user. */
function roleIn(namespace: string) {
  const metadata = { namespace, name: "operator" };
  const rules = [
    { apiGroups: [""], resources: ["configmaps"], verbs: ["list", "watch"] },
    {
      apiGroups: ["coordination.k8s.io"],
      resources: ["leases"],
      verbs: ["get", "create", "update"],
    },
    { apiGroups: ["events.k8s.io"], resources: ["events"], verbs: ["create", "patch"] },
  ];
  const roleRef = { apiGroup: rbac, kind: "Role", name: "operator" };
  const subjects = [{ apiGroup: rbac, kind: "User", name: "operator" }];
  return [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
    { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace, name: "settings" } },
    { apiVersion: `${rbac}/v1`, kind: "Role", metadata, rules },
    { apiVersion: `${rbac}/v1`, kind: "RoleBinding", metadata, roleRef, subjects },
  ];
}

describe("a manager with namespaces", () => {
  test("works with Roles in two namespaces and no other right, as one view (MGR-9)", async () => {
    const clock = new SimulatedClock();
    const api = new FakeApiServer({
      clock,
      authorization: "rbac",
      users: { token: { username: "operator" } },
      objects: [...roleIn("shop"), ...roleIn("test")],
    });
    const headers = { authorization: "Bearer token" };
    const connection = createConnection({ server, fetch: api.fetch, headers });
    const log = new LineLog();
    const manager = createManager(connection, {
      name: "operator",
      namespaces: ["shop", "test"],
      signals: false,
      server: false,
      election: { identity: "one" },
      telemetry: { log },
      clock,
    });
    const keys: string[] = [];
    manager.controller({ for: configmaps, reconcile: (key) => void keys.push(key) });
    const stop = new AbortController();
    const running = manager.run(stop.signal);
    await clock.advance(1000);
    expect(keys.toSorted()).toEqual(["shop/settings", "test/settings"]);
    const view = manager.informers.informer(configmaps);
    expect(view.name).toBe("v1/configmaps?namespace=shop,test");
    expect(view.store.byIndex("namespace", "shop")).toHaveLength(1);
    stop.abort();
    await clock.advance(1000);
    await running;
    expect(log.loud).toEqual([]);
    checkIdle(clock);
  });
});

describe("an optional controller", () => {
  test("starts with the definition of its resource and stops with it (MGR-9)", async () => {
    const clock = new SimulatedClock();
    const api = new FakeApiServer({ clock });
    const connection = createConnection({ server, fetch: api.fetch });
    const client = createClient(connection, { clock });
    const definitions = client.resource({
      group: "apiextensions.k8s.io",
      version: "v1",
      resource: "customresourcedefinitions",
    });
    const widgets = { group: "example.com", version: "v1", resource: "widgets", kind: "Widget" };
    const log = new LineLog();
    const manager = createManager(connection, {
      name: "operator",
      signals: false,
      server: false,
      telemetry: { log },
      clock,
    });
    const keys: string[] = [];
    manager.controller({
      for: widgets,
      optional: true,
      reconcile: (key) => void keys.push(key),
    });
    const stop = new AbortController();
    const running = manager.run(stop.signal);
    await clock.advance(60_000);
    expect(log.lines.map(({ message }) => message)).toContain("Manager works");
    for (const round of [1, 2]) {
      keys.length = 0;
      await definitions.create(widgetsCrd());
      await clock.advance(5000);
      await client.resource(widgets).create({ metadata: { namespace: "default", name: "a" } });
      await clock.advance(40_000);
      expect(keys, `round ${round}`).toEqual(["default/a"]);
      expect(manager.informers.all.map(({ name }) => name)).toEqual(["example.com/v1/widgets"]);
      await definitions.delete("widgets.example.com");
      await clock.advance(60_000);
      expect(manager.informers.all).toEqual([]);
    }
    stop.abort();
    await clock.advance(1000);
    expect(await running).toEqual({ by: "abort" });
    checkIdle(clock);
  });
});

import { InvalidOptionsError } from "@listwatch/core-fifo";
import { createManager } from "@listwatch/manager";
import { describe, expect, expectTypeOf, test } from "vitest";
import { configmaps } from "@listwatch/resources/core/v1";
import { checkIdle, Cluster, configMap, configMapReference } from "./support/cluster.ts";
import { Operator } from "./support/operator.ts";

describe("createManager", () => {
  test("runs without probes and signals, as in a page (MGR-7)", async () => {
    const cluster = new Cluster();
    await cluster.configMaps.create(configMap("default/a"));
    const operator = new Operator({}, cluster).addParts();
    const running = operator.manager.run(operator.stop.signal);
    await cluster.clock.advance(100);
    operator.stop.abort();
    await cluster.clock.advance(100);
    expect(await running).toEqual({ by: "abort" });
    expect(operator.order).toEqual([
      "Manager starts",
      "watch begins",
      "Informers have synced",
      "Manager works",
      "webhook starts",
      "leader-work starts",
      "reconcile default/a",
      "reconciled default/a",
      "Manager stops",
      "leader-work ends",
      "webhook ends",
      "watch ends",
      "Manager has stopped",
    ]);
    checkIdle(cluster.clock);
  });

  test("an owned source reconciles its owners, and a key can be added", async () => {
    const operator = new Operator();
    const { cluster, manager, order, stop } = operator;
    const owners = { ...configMapReference, kind: "ConfigMap" };
    const controller = manager.controller({
      for: owners,
      reconcile: (key) => void order.push(key),
    });
    controller.owns({ group: "", version: "v1", resource: "pods" });
    const running = manager.run(stop.signal);
    await cluster.clock.advance(100);
    controller.add("default/added");
    await cluster.client.resource({ group: "", version: "v1", resource: "pods" }).create({
      metadata: {
        namespace: "default",
        name: "web",
        ownerReferences: [
          { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: "1", controller: true },
        ],
      },
      spec: { containers: [{ name: "web", image: "web" }] },
    } as object);
    await cluster.clock.advance(100);
    expect(order).toEqual(expect.arrayContaining(["default/added", "default/owner"]));
    stop.abort();
    await cluster.clock.advance(100);
    await running;
  });

  test("an inspection has informers, waiting keys and past reconciles as plain data", async () => {
    const cluster = new Cluster();
    await cluster.configMaps.create(configMap("default/a", { data: { secret: "no" } }));
    const operator = new Operator({}, cluster).addParts();
    const running = operator.manager.run(operator.stop.signal);
    await cluster.clock.advance(100);
    const inspection: unknown = JSON.parse(JSON.stringify(operator.manager.inspect()));
    expect(inspection).toMatchObject({
      isLeader: true,
      informers: [{ name: "v1/configmaps", hasSynced: true, objects: 1, backlogs: { maps: 0 } }],
      controllers: [
        {
          name: "maps",
          isRunning: true,
          waiting: 0,
          running: [],
          past: [["default/a", [{ durationMs: 0, outcome: "success" }]]],
        },
      ],
    });
    operator.stop.abort();
    await cluster.clock.advance(100);
    await running;
    expect(JSON.stringify(inspection)).not.toContain("secret");
  });

  test("objects and keys have the types of the resource", () => {
    const { manager } = new Operator();
    manager.controller({
      for: configmaps,
      reconcile: (key, { object }) => {
        expectTypeOf(key).toEqualTypeOf<`${string}/${string}`>();
        expectTypeOf(object?.data?.["a"]).toEqualTypeOf<string | undefined>();
      },
    });
  });

  test.each([
    [{}, "name"],
    [{ name: "" }, "name"],
    [{ name: "a", signals: ["SIGKILL"] }, "signals"],
    [{ name: "a", limits: { stopTimeoutMS: 1 } }, "limits.stopTimeoutMS"],
    [{ name: "a", election: {} }, "election.namespace"],
  ])("refuses the options %j and names the wrong one", (options, option) => {
    const { connection } = new Cluster();
    const create = (): unknown => Reflect.apply(createManager, undefined, [connection, options]);
    expect(create).toThrow(expect.objectContaining({ option }));
  });

  test("refuses two parts with one name, whose metrics would be one", () => {
    const { manager } = new Operator();
    const part = { for: configMapReference, reconcile: () => undefined };
    manager.controller(part);
    expect(() => manager.controller(part)).toThrow(InvalidOptionsError);
    expect(() => manager.add({ name: "configmaps", run: async () => undefined })).toThrow(
      InvalidOptionsError,
    );
  });
});

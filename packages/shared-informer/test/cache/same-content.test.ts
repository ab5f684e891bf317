import { jsonDecoder } from "@listwatch/client";
import { lazyMembers } from "@listwatch/core-fifo/base";
import { describe, expect, test } from "vitest";
import { isSameContent } from "../../src/cache/same-content.ts";
import { Cluster, sourceForm } from "../support/cluster.ts";
import { informerOf } from "../support/informer.ts";

describe("two objects have the same content", () => {
  test.each([
    ["equal ones", { spec: { a: [1] } }, { spec: { a: [1] } }, true],
    ["ones whose members have another order", { a: 1, b: 2 }, { b: 2, a: 1 }, true],
    ["ones of equal version that differ", { spec: { a: [1] } }, { spec: { a: [2] } }, false],
    ["one that lacks a member", { a: 1, b: 2 }, { a: 1 }, false],
    ["one that has a further member", { a: 1 }, { a: 1, b: 2 }, false],
  ])("%s", (_, old, object, expected) => {
    const metadata = { name: "a", resourceVersion: "1" };
    expect(isSameContent({ metadata, ...old }, { metadata: { ...metadata }, ...object })).toBe(
      expected,
    );
  });
});

/** Returns the number of members that have not been parsed. */
function unreadOf(object: unknown): number {
  const stored: unknown = Reflect.get(Object(object), lazyMembers);
  return Array.isArray(stored)
    ? stored.filter((value) => typeof value === "string" || value instanceof Uint8Array).length
    : 0;
}

// Projected objects are never lazy.
describe.skipIf(sourceForm.fields !== undefined).for(["json", "protobuf"] as const)(
  "a relist of lazy objects in %s",
  (encoding) => {
    const text = "x".repeat(2000);

    test.each([
      ["none of which was read", false],
      ["of which one was read", true],
    ])("keeps unchanged ones, %s, and delivers nothing", async (_, isRead) => {
      const cluster = new Cluster();
      await cluster.create("shop/a", { data: { text }, labels: { app: "web" } });
      await cluster.create("shop/b", { data: { text } });
      const listerWatcher = cluster.source({
        decoder: encoding === "json" ? jsonDecoder() : undefined,
        encoding,
        lazy: encoding === "json" ? true : undefined,
        watchListSupported: false,
      });
      const informer = informerOf(cluster, { listerWatcher });
      const updates: unknown[] = [];
      informer.addEventHandler(
        { onUpdate: (_old, object) => void updates.push(object) },
        { changesOnly: true },
      );
      const ended = informer.run();
      await cluster.clock.advance(2000);
      const before = ["shop/a", "shop/b"].map((key) => informer.store.getByKey(key));
      expect(isRead ? before[0]?.data : { text }).toEqual({ text });
      const unread = before.map(unreadOf);
      expect(Math.max(...unread)).toBeGreaterThan(0);
      cluster.api.control.watches.list()[0]?.sendError({ code: 410 });
      await cluster.clock.advance(10_000);
      expect(cluster.requests().filter((request) => request.startsWith("list"))).toHaveLength(2);
      expect(updates).toEqual([]);
      const after = ["shop/a", "shop/b"].map((key) => informer.store.getByKey(key));
      expect(after.map((object, index) => object === before[index])).toEqual([true, true]);
      expect(before[1] && unreadOf(before[1])).toBe(unread[1]);
      await informer[Symbol.asyncDispose]();
      await ended;
    });
  },
);

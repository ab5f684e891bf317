import { X509Certificate } from "node:crypto";
import { validatingwebhookconfigurations } from "@listwatch/resources/admissionregistration.k8s.io/v1";
import { pods } from "@listwatch/resources/core/v1";
import { validating } from "@listwatch/webhooks";
import { describe, expect, test } from "vitest";
import {
  configurations,
  type Replica,
  RotationCluster,
  times,
} from "../support/rotation-cluster.ts";

const old = ["configmaps.core"];
const both = ["configmaps.core", "pods.core"];
/** A second version, with a webhook that the first one does not know. */
const second = { configurations: configurations([validating(pods, () => {})]) };
const dueMs = times.validityMs - times.renewBeforeMs;

/** Two replicas of the first version; `leader` is one of them, or undefined without an election. */
async function startFirst(
  leader: string | undefined,
): Promise<{ readonly before: readonly Replica[]; readonly cluster: RotationCluster }> {
  const cluster = new RotationCluster();
  await cluster.prepare();
  cluster.leader = leader;
  const before = [cluster.start("a"), cluster.start("b")];
  await cluster.clock.advance(20_000);
  expect(await cluster.rules()).toEqual(old);
  return { before, cluster };
}

describe("rules of a new version", () => {
  test.each(["a", undefined])(
    "are written when every replica has them, with the leader %s (WHK-8)",
    async (leader) => {
      const { before, cluster } = await startFirst(leader);
      const next = [cluster.start("c", second), cluster.start("d", second)];
      if (leader !== undefined) cluster.leader = "c";
      await cluster.clock.advance(20_000);
      await before[0]!.stop();
      await cluster.clock.advance(20_000);
      // The last old replica would answer calls of the new webhook with 404.
      expect(await cluster.rules()).toEqual(old);
      await before[1]!.stop();
      await cluster.clock.advance(2 * times.checkMs);
      expect(await cluster.rules()).toEqual(both);
      await cluster.clock.advance(10_000);
      expect(cluster.violations).toEqual([]);
      expect(cluster.bundleSizes).toEqual([1, 1, 1, 1]);
      expect(next.map(({ errors }) => errors)).toEqual([[], []]);
      await cluster.end();
    },
  );

  test("wait for the record of an old replica that was killed (WHK-8)", async () => {
    const { before, cluster } = await startFirst("a");
    cluster.start("c", second);
    cluster.leader = "c";
    for (const replica of before) replica.kill();
    await cluster.clock.advance(times.replicaTimeoutMs - 1000);
    expect(await cluster.rules()).toEqual(old);
    await cluster.clock.advance(2 * times.checkMs);
    expect(await cluster.rules()).toEqual(both);
    await cluster.end();
  });

  test("are not undone by an old replica that leads, rotates or restarts (WHK-8)", async () => {
    const { before, cluster } = await startFirst("a");
    const next = cluster.start("c", second);
    cluster.leader = "c";
    for (const replica of before) await replica.stop();
    await cluster.clock.advance(20_000);
    expect(await cluster.rules()).toEqual(both);
    const [served] = cluster.served;

    const restarted = cluster.start("a");
    cluster.leader = "a";
    await cluster.clock.advance(dueMs + 20_000);
    // Also the webhook that the old version does not know trusts the new certificate.
    expect(cluster.violations).toEqual([]);
    expect(cluster.served).not.toContain(served);
    expect(cluster.bundleSizes).toEqual([1, 1, 1, 1]);
    expect(await cluster.rules()).toEqual(both);
    expect([restarted.errors, next.errors]).toEqual([[], []]);

    // The same step in the other direction is a roll-back.
    await next.stop();
    await cluster.clock.advance(2 * times.checkMs);
    expect(await cluster.rules()).toEqual(old);
    await cluster.end();
  });

  test("stay when a person spoils the annotation with the rules (WHK-5)", async () => {
    const { cluster } = await startFirst("a");
    const api = cluster.admin.resource(validatingwebhookconfigurations);
    const { metadata } = await api.get("hooks");
    const names = Object.keys(metadata.annotations ?? {});
    expect(names).toEqual(["webhooks.listwatch/rules"]);
    for (const spoiled of ["{", "{}", '{"webhooks":[1]}', null]) {
      const annotations = { "webhooks.listwatch/rules": spoiled };
      await api.patch("hooks", { metadata: { annotations } });
      await cluster.clock.advance(2 * times.checkMs);
      expect((await api.get("hooks")).metadata.annotations).toEqual(metadata.annotations);
    }
    await cluster.expectSettled();
    await cluster.end();
  });

  test("come back when a person deletes the configuration or a webhook (WHK-5)", async () => {
    const { cluster } = await startFirst("a");
    const api = cluster.admin.resource(validatingwebhookconfigurations);
    await api.patch("hooks", [{ op: "remove", path: "/webhooks" }], { type: "json" });
    await cluster.clock.advance(2 * times.checkMs);
    expect(await cluster.rules()).toEqual(old);
    await api.delete("hooks");
    await cluster.clock.advance(2 * times.checkMs);
    expect(await cluster.rules()).toEqual(old);
    await cluster.expectSettled();
    await cluster.end();
  });
});

test("hosts of the old version leave with the first certificate after the roll-out", async () => {
  const { before, cluster } = await startFirst("a");
  const replica = cluster.start("c", { hosts: ["new.example.com"] });
  cluster.leader = "c";
  const names = () => new X509Certificate(replica.source.current!.certificate).subjectAltName;
  await cluster.clock.advance(30_000);
  expect(names()).toBe("DNS:new.example.com, DNS:hooks.operators.svc");
  for (const one of before) await one.stop();
  await cluster.clock.advance(dueMs + 20_000);
  expect(names()).toBe("DNS:new.example.com");
  await cluster.expectSettled();
  await cluster.end();
});

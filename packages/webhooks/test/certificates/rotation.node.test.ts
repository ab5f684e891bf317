import { X509Certificate } from "node:crypto";
import { secrets } from "@listwatch/resources/core/v1";
import { rotatedCertificates } from "@listwatch/webhooks/certificates";
import { describe, expect, test } from "vitest";
import { configurations, RotationCluster, secretKey, times } from "../support/rotation-cluster.ts";

/** Time after which a new certificate is due. */
const dueMs = times.validityMs - times.renewBeforeMs;

async function startTwo(): Promise<RotationCluster> {
  const cluster = new RotationCluster();
  await cluster.prepare();
  cluster.leader = "a";
  cluster.start("a");
  cluster.start("b");
  await cluster.clock.advance(20_000);
  return cluster;
}

describe("certificates of an operator", () => {
  test("are made by the leader, served by all replicas, and then published (WHK-1)", async () => {
    const cluster = await startTwo();
    await cluster.expectSettled();
    expect(cluster.publishedTo).toEqual([
      "CustomResourceDefinition widgets.example.com",
      "MutatingWebhookConfiguration hooks",
      "ValidatingWebhookConfiguration hooks",
    ]);
    const [a, b] = cluster.replicas;
    expect(b!.writes.filter((write) => !write.includes("leases"))).toEqual([]);
    expect([a!.errors, b!.errors]).toEqual([[], []]);
    const { authority, certificate } = a!.source.current!;
    const leaf = new X509Certificate(certificate);
    expect(leaf.subjectAltName).toBe("DNS:hooks.operators.svc");
    expect(leaf.verify(new X509Certificate(authority!).publicKey)).toBe(true);
    expect(Date.parse(leaf.validFrom)).toBe(Date.UTC(2027, 0, 1) - 300_000);
    await cluster.end();
    expect(await cluster.recordCount()).toBe(0);
  });

  test("are renewed in time: authority, certificate, end of the old authority (WHK-2)", async () => {
    const cluster = await startTwo();
    const [before] = cluster.served;
    const sizes: number[] = [];
    await cluster.clock.advance(dueMs - 21_000);
    expect(cluster.served).toEqual([before]);
    for (let second = 0; second < 40; second += 1) {
      const [size = 0] = cluster.bundleSizes;
      if (sizes.at(-1) !== size) sizes.push(size);
      await cluster.clock.advance(1000);
    }
    expect(sizes).toEqual([1, 2, 1]);
    expect(cluster.served).not.toContain(before);
    await cluster.expectSettled();
    await cluster.end();
  });
});

describe("a rotation", () => {
  // Those of the Secret, of the first and last bundle, and of the record of the leader itself.
  const writes = [0, 1, 3, 4, 5, 6, 9];

  test.each(writes)("continues after its leader ends at write %i (WHK-3)", async (write) => {
    const cluster = await startTwo();
    const [a] = cluster.replicas;
    const [before] = cluster.served;
    // The server has got every second one of these writes.
    const side = write % 2 === 0 ? "answer" : "request";
    a!.loss = { write: a!.writes.length + write, side, kills: true };
    await cluster.clock.advance(dueMs);
    expect(a!.isAlive).toBe(false);
    cluster.leader = "b";
    cluster.start("c");
    await cluster.clock.advance(3 * times.replicaTimeoutMs);
    await cluster.expectSettled();
    expect(cluster.served).not.toContain(before);
    await cluster.end();
  });

  test("continues after writes whose answers are lost (WHK-3)", async () => {
    const cluster = await startTwo();
    const [a] = cluster.replicas;
    const [before] = cluster.served;
    await cluster.clock.advance(dueMs - 25_000);
    for (let second = 0; second < 30; second += 1) {
      a!.loss = { write: a!.writes.length, side: "answer", kills: false };
      await cluster.clock.advance(1000);
    }
    expect(a!.errors.length).toBeGreaterThan(5);
    a!.loss = undefined;
    await cluster.clock.advance(2 * times.replicaTimeoutMs);
    await cluster.expectSettled();
    expect(cluster.served).not.toContain(before);
    await cluster.end();
  });

  test("is made by one of three replicas without an election (WHK-1)", async () => {
    const cluster = new RotationCluster();
    await cluster.prepare();
    for (const name of ["a", "b", "c"]) cluster.start(name);
    await cluster.clock.advance(20_000);
    await cluster.expectSettled();
    const [before] = cluster.served;
    await cluster.clock.advance(dueMs + 20_000);
    await cluster.expectSettled();
    expect(cluster.served).not.toContain(before);
    expect(cluster.replicas.map(({ errors }) => errors)).toEqual([[], [], []]);
    await cluster.end();
  });

  test("waits for a replica that is cut off until its record has expired (WHK-4)", async () => {
    const cluster = await startTwo();
    const [a, b] = cluster.replicas;
    await cluster.untilBundleHas(2);
    b!.kill();
    await cluster.clock.advance(10_000);
    expect(a!.source.current).not.toEqual(b!.source.current);
    expect(cluster.bundleSizes).toEqual([2, 2, 2]);
    await cluster.clock.advance(2 * times.replicaTimeoutMs);
    await cluster.expectSettled();
    await cluster.end();
  });
});

describe("a foreign change", () => {
  test("of each bundle is undone (WHK-5)", async () => {
    const cluster = await startTwo();
    await cluster.spoilBundles();
    expect(cluster.bundleSizes).toEqual([0, 0, 0]);
    await cluster.clock.advance(times.checkMs + 1000);
    cluster.isForeign = false;
    await cluster.expectSettled();
    await cluster.end();
  });

  test("of a bundle in the middle of a rotation is undone (WHK-5)", async () => {
    const cluster = await startTwo();
    const [before] = cluster.served;
    await cluster.untilBundleHas(2);
    await cluster.spoilBundles();
    await cluster.clock.advance(1000);
    expect(cluster.bundleSizes).toEqual([2, 2, 2]);
    cluster.isForeign = false;
    await cluster.clock.advance(20_000);
    await cluster.expectSettled();
    expect(cluster.served).not.toContain(before);
    await cluster.end();
  });

  test("that deletes the Secret leads to a rotation (WHK-5)", async () => {
    const cluster = await startTwo();
    const [before] = cluster.served;
    await cluster.admin.resource(secrets).delete(secretKey);
    await cluster.clock.advance(times.checkMs);
    expect(cluster.served).toEqual([before]);
    await cluster.clock.advance(30_000);
    await cluster.expectSettled();
    expect(cluster.served).not.toContain(before);
    await cluster.end();
  });

  test.each(["tls.crt", "tls.key", "ca.crt"])("of %s is not served (WHK-5)", async (member) => {
    const cluster = await startTwo();
    const [before] = cluster.served;
    await cluster.admin.resource(secrets).patch(secretKey, { data: { [member]: btoa("foreign") } });
    await cluster.clock.advance(times.checkMs);
    expect(cluster.served).toEqual([before]);
    await cluster.clock.advance(30_000);
    await cluster.expectSettled();
    expect(cluster.served).not.toContain(before);
    await cluster.end();
  });

  test("that restores an older Secret is served once the bundles trust it", async () => {
    const cluster = await startTwo();
    const { data } = await cluster.secret();
    const [before] = cluster.served;
    await cluster.clock.advance(dueMs);
    await cluster.expectSettled();
    expect(cluster.served).not.toContain(before);
    await cluster.admin.resource(secrets).patch(secretKey, { data });
    await cluster.clock.advance(2 * times.checkMs + 30_000);
    await cluster.expectSettled();
    await cluster.end();
  });
});

describe("a start", () => {
  test("with an expired certificate waits for a new one (WHK-6)", async () => {
    const cluster = await startTwo();
    const [before] = cluster.served;
    for (const replica of cluster.replicas) await replica.stop();
    await cluster.clock.advance(2 * times.validityMs);
    cluster.leader = "c";
    const replica = cluster.start("c");
    await cluster.clock.advance(1000);
    expect(replica.source.current).toBeUndefined();
    await cluster.clock.advance(20_000);
    await cluster.expectSettled();
    expect(cluster.served).not.toContain(before);
    await cluster.end();
  });

  test("without a leader is done by another replica after 10 s (WHK-1)", async () => {
    const cluster = new RotationCluster();
    await cluster.prepare();
    cluster.leader = "none yet";
    const replica = cluster.start("a");
    await cluster.clock.advance(9000);
    expect(replica.source.current).toBeUndefined();
    await cluster.clock.advance(3000);
    expect(replica.source.current).toBeDefined();
    cluster.leader = "a";
    await cluster.clock.advance(20_000);
    await cluster.expectSettled();
    await cluster.end();
  });

  test("with other hosts makes a certificate for those of both versions", async () => {
    const cluster = await startTwo();
    cluster.leader = "c";
    const replica = cluster.start("c", { hosts: ["new.example.com", "127.0.0.1"] });
    await cluster.clock.advance(30_000);
    const { certificate } = replica.source.current!;
    expect(new X509Certificate(certificate).subjectAltName).toBe(
      "DNS:new.example.com, IP Address:127.0.0.1, DNS:hooks.operators.svc",
    );
    await cluster.expectSettled();
    await cluster.end();
  });

  test("whose clock is behind the API server's by less than the skew is served", async () => {
    const cluster = await startTwo();
    const leaf = new X509Certificate(cluster.served[0]!);
    expect(Date.parse(leaf.validFrom)).toBeLessThanOrEqual(cluster.clock.now() - 300_000);
    await cluster.end();
  });
});

describe("bad options", () => {
  const client = new RotationCluster().admin;
  const valid = { namespace: "operators", name: "hooks", configurations: configurations() };

  test.each([
    [{ name: "Hooks" }, "name", "a name of 2 to 63 characters"],
    [{ times: { validityMs: 1000, renewBeforeMs: 1000 } }, "times.renewBeforeMs", "less than"],
    [{ hosts: [] }, "hosts", "the names of the server"],
    [{ times: { checkMs: 0 } }, "times.checkMs", "1"],
  ])("%j are refused", (options, name, expected) => {
    const create = () => rotatedCertificates(client, { ...valid, ...options });
    expect(create).toThrow(name);
    expect(create).toThrow(expected);
  });

  test("a second run at the same time is refused", async () => {
    const cluster = await startTwo();
    await expect(cluster.replicas[0]!.source.run(new AbortController().signal)).rejects.toThrow(
      "run was called before",
    );
    await cluster.end();
  });
});

import { createPrivateKey, X509Certificate } from "node:crypto";
import type { Clock } from "@listwatch/core-fifo";
import { secrets } from "@listwatch/resources/core/v1";
import { describe, expect, test } from "vitest";
import { type Replica, RotationCluster, secretKey, times } from "../support/rotation-cluster.ts";

const dueMs = times.validityMs - times.renewBeforeMs;
const hourMs = 3_600_000;

type Options = NonNullable<Parameters<RotationCluster["start"]>[1]>;

async function startOne(
  options: Options = {},
): Promise<{ readonly cluster: RotationCluster; readonly replica: Replica }> {
  const cluster = new RotationCluster();
  await cluster.prepare();
  const replica = cluster.start("a", options);
  await cluster.clock.advance(20_000);
  return { cluster, replica };
}

function read({ source }: Replica): {
  readonly leaf: X509Certificate;
  readonly authority: X509Certificate;
} {
  const { authority = "", certificate = "" } = source.current ?? {};
  return { leaf: new X509Certificate(certificate), authority: new X509Certificate(authority) };
}

/** The clock of another machine, which differs by some time. */
function ahead(clock: Clock, ms: number): Clock {
  return {
    now: () => clock.now() + ms,
    setTimeout: (callback, delayMs) => clock.setTimeout(callback, delayMs),
    nextTurn: () => clock.nextTurn(),
  };
}

describe("a certificate", () => {
  test("has a purpose, a random serial number and the validity of its authority", async () => {
    const { cluster, replica } = await startOne();
    const { authority, leaf } = read(replica);
    expect([authority.ca, leaf.ca]).toEqual([true, false]);
    expect(leaf.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
    expect(leaf.checkIssued(authority)).toBe(true);
    expect(leaf.checkPrivateKey(createPrivateKey(replica.source.current!.key))).toBe(true);
    for (const { serialNumber } of [leaf, authority]) {
      expect(serialNumber).toMatch(/^[4-7][0-9A-F]{31}$/);
    }
    expect(leaf.serialNumber).not.toBe(authority.serialNumber);
    const madeMs = Date.parse(leaf.validTo) - times.validityMs;
    expect(Date.parse(leaf.validFrom)).toBe(madeMs - 300_000);
    expect([authority.validFrom, authority.validTo]).toEqual([leaf.validFrom, leaf.validTo]);
    await cluster.clock.advance(dueMs + 20_000);
    const next = read(replica);
    expect(next.leaf.serialNumber).not.toBe(leaf.serialNumber);
    expect(next.authority.subject).not.toBe(authority.subject);
    await cluster.end();
  });

  test("has a common name of at most 64 characters with the longest name of a Secret", async () => {
    const name = "a".repeat(63);
    const { cluster, replica } = await startOne({ name });
    const { authority, leaf } = read(replica);
    expect(leaf.subject).toBe(`CN=${name}`);
    expect(authority.subject).toMatch(/^CN=a{47} [0-9a-f]{16}$/);
    await cluster.end();
  });

  test("is made once for hosts in any form", async () => {
    const hosts = ["FD00:0:0::1", "::1", "10.0.0.1", "Hooks.Example.com", "*.example.com"];
    const { cluster, replica } = await startOne({ hosts });
    const { serialNumber, subjectAltName } = read(replica).leaf;
    expect(subjectAltName).toBe(
      "IP Address:FD00:0:0:0:0:0:0:1, IP Address:0:0:0:0:0:0:0:1, IP Address:10.0.0.1, " +
        "DNS:hooks.example.com, DNS:*.example.com",
    );
    await cluster.clock.advance(30_000);
    expect(read(replica).leaf.serialNumber).toBe(serialNumber);
    await cluster.expectSettled();
    await cluster.end();
  });

  test("that is not valid yet, since its maker's clock was ahead, is not served", async () => {
    const cluster = new RotationCluster();
    await cluster.prepare();
    cluster.leader = "a";
    const wrong = cluster.start("a", { clock: ahead(cluster.clock, hourMs) });
    const right = cluster.start("b");
    await cluster.clock.advance(8000);
    const before = wrong.source.current?.certificate;
    expect(before).toBeDefined();
    expect(right.source.current).toBeUndefined();
    // It writes although it does not lead, as calls have failed for 10 s.
    await cluster.clock.advance(30_000);
    expect(right.source.current).toBeDefined();
    expect(right.source.current?.certificate).not.toBe(before);
    expect(cluster.violations).toEqual([]);
    await cluster.end();
  });

  test("of a maker whose clock is ahead by less than the skew is served", async () => {
    const cluster = new RotationCluster();
    await cluster.prepare();
    cluster.leader = "a";
    cluster.start("a", { clock: ahead(cluster.clock, 299_000) });
    const right = cluster.start("b");
    await cluster.clock.advance(20_000);
    expect(right.source.current).toBeDefined();
    await cluster.expectSettled();
    await cluster.end();
  });
});

describe("a Secret", () => {
  test("that exists already keeps its other members, labels and type", async () => {
    const cluster = new RotationCluster();
    await cluster.prepare();
    const [namespace = "", name = ""] = secretKey.split("/");
    const metadata = { namespace, name, labels: { team: "a" } };
    const password = btoa("secret");
    const api = cluster.admin.resource(secrets);
    await api.create({ metadata, type: "example.com/own", data: { password } });
    cluster.start("a");
    cluster.start("b");
    await cluster.clock.advance(20_000);
    await cluster.clock.advance(dueMs);
    const { data, metadata: stored, type } = await cluster.secret();
    expect([data?.["password"], stored.labels, type]).toEqual([
      password,
      { team: "a" },
      "example.com/own",
    ]);
    expect(Object.keys(data ?? {}).toSorted()).toEqual([
      "ca.crt",
      "password",
      "tls.crt",
      "tls.key",
    ]);
    expect(cluster.bundleSizes).toEqual([1, 1, 1]);
    await cluster.end();
  });

  test("that gets another authority loses it, and the bundles do too (WHK-5)", async () => {
    const { cluster, replica } = await startOne();
    const { authority = "" } = replica.source.current!;
    const foreign = atob((await foreignData())["ca.crt"]);
    const data = { "ca.crt": btoa(authority + foreign) };
    await cluster.admin.resource(secrets).patch(secretKey, { data });
    await cluster.clock.advance(2 * times.checkMs);
    expect(replica.source.current?.authority).toBe(authority);
    expect(atob((await cluster.secret()).data?.["ca.crt"] ?? "")).toBe(authority);
    await cluster.expectSettled();
    await cluster.end();
  });

  test("that gets a certificate for other hosts gets a new one (WHK-5)", async () => {
    const { cluster, replica } = await startOne();
    const before = replica.source.current?.certificate;
    await cluster.admin.resource(secrets).patch(secretKey, { data: await foreignData() });
    await cluster.clock.advance(40_000);
    expect(replica.source.current?.certificate).not.toBe(before);
    expect(read(replica).leaf.subjectAltName).toBe("DNS:hooks.operators.svc");
    await cluster.expectSettled();
    await cluster.end();
  });

  test("that gets a certificate that has expired gets a new one (WHK-5)", async () => {
    const { cluster, replica } = await startOne();
    const { data } = await cluster.secret();
    const expired = replica.source.current?.certificate;
    await cluster.clock.advance(times.validityMs);
    const before = replica.source.current?.certificate;
    const seen: unknown[] = [];
    replica.source.onChange(({ certificate }) => void seen.push(certificate));
    await cluster.admin.resource(secrets).patch(secretKey, { data });
    await cluster.clock.advance(30_000);
    expect(replica.source.current?.certificate).not.toBe(before);
    expect(seen).not.toContain(expired);
    await cluster.expectSettled();
    await cluster.end();
  });
});

/** The Secret of another operator. */
async function foreignData(): Promise<Readonly<Record<"ca.crt" | "tls.crt" | "tls.key", string>>> {
  const { cluster } = await startOne({ hosts: ["other.example.com"] });
  const { data = {} } = await cluster.secret();
  await cluster.end();
  const [authority = "", certificate = "", key = ""] = ["ca.crt", "tls.crt", "tls.key"].map(
    (member) => data[member],
  );
  return { "ca.crt": authority, "tls.crt": certificate, "tls.key": key };
}

import { X509Certificate } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { Agent, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type TLSSocket } from "node:tls";
import { silentLog } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { configmaps } from "@listwatch/resources/core/v1";
import {
  type CertificateSource,
  mutating,
  routeWebhooks,
  type ServingCertificate,
} from "@listwatch/webhooks";
import { certificatesFromFiles, serveWebhooks } from "@listwatch/webhooks/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
// @boundaries-ignore a package for tests that makes certificates
import {
  CertificateAuthority,
  type Credentials,
} from "../../../fake-apiserver/src/certificates/certificate-authority.ts";
import { admissionReview, deploymentCreate } from "../support/reviews.ts";

let authority: CertificateAuthority;
let folder: string;
let first: Credentials;
let second: Credentials;

beforeAll(async () => {
  authority = await CertificateAuthority.create("test");
  first = await authority.issueServer(["localhost"]);
  second = await authority.issueServer(["localhost"]);
  folder = await mkdtemp(join(tmpdir(), "webhooks-"));
});

afterAll(() => rm(folder, { recursive: true }));

const handler = routeWebhooks([
  mutating(
    configmaps,
    ({ object }) => {
      object.data = { text: "x".repeat(100_000) };
    },
    { onError: () => {} },
  ),
]);
const create = {
  ...deploymentCreate,
  kind: { group: "", version: "v1", kind: "ConfigMap" },
  resource: { group: "", version: "v1", resource: "configmaps" },
  object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } },
};

async function write({ certificate, key }: Credentials): Promise<void> {
  await writeFile(join(folder, "tls.crt"), certificate);
  await writeFile(join(folder, "tls.key"), key);
}

/** Sends a review on a new connection. Returns the certificate of the server and the answer. */
function call(
  port: number,
): Promise<{ readonly serial: string; readonly body: string; readonly isLast: boolean }> {
  return new Promise((resolve, reject) => {
    const options = {
      host: "127.0.0.1",
      port,
      path: "/mutate/v1/configmaps?timeout=10s",
      method: "POST",
      headers: { "content-type": "application/json" },
      servername: "localhost",
      ca: authority.certificate,
      agent: new Agent({ keepAlive: true }),
    };
    const outgoing = request(options, (incoming) => {
      const { serialNumber } = (incoming.socket as TLSSocket).getPeerCertificate();
      let body = "";
      incoming.on("data", (piece) => (body += String(piece)));
      incoming.on("end", () => {
        const isLast = incoming.headers.connection === "close";
        resolve({ serial: serialNumber, body, isLast });
      });
    });
    outgoing.on("error", reject);
    outgoing.end(JSON.stringify(admissionReview(create)));
  });
}

/** Sends bytes on a new connection. Returns the first line of the answer. */
function statusOf(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false });
    let received = "";
    socket.on("secureConnect", () => socket.write(text));
    socket.on("data", (piece) => {
      received += String(piece);
      if (!received.includes("\r\n")) return;
      resolve(received.split("\r\n", 1)[0]!);
      socket.destroy();
    });
    socket.on("error", reject);
  });
}

function serialOf({ certificate }: Credentials): bigint {
  return BigInt(`0x${new X509Certificate(certificate).serialNumber}`);
}

/** A source of one certificate. */
function fixed({ certificate, key }: Credentials): CertificateSource {
  const current = { certificate, key };
  return { current, onChange: () => () => {}, run: () => Promise.resolve() };
}

describe("a server of webhooks", () => {
  test("starts with the first certificate, changes it, and goes on after its readiness (WHK-7)", async () => {
    const clock = new SimulatedClock();
    const errors: unknown[] = [];
    const certificates = certificatesFromFiles({
      certificate: join(folder, "tls.crt"),
      key: join(folder, "tls.key"),
      rereadMs: 10_000,
      clock,
      onError: (error) => void errors.push(error),
    });
    const starting = serveWebhooks(handler, {
      certificates,
      clock,
      host: "127.0.0.1",
      port: 0,
      shutdownDelayMs: 5000,
    });
    await clock.settle();
    expect(errors).toMatchObject([{ code: "ENOENT" }]);
    await write(first);
    await clock.advance(10_000);
    const server = await starting;
    expect(server.isReady).toBe(true);
    const before = await call(server.port);
    expect(JSON.parse(before.body)).toMatchObject({ response: { allowed: true } });

    await write(second);
    await clock.advance(10_000);
    const after = await call(server.port);
    expect(after.serial).not.toBe(before.serial);

    const closed = server.close();
    expect(server.isReady).toBe(false);
    await clock.advance(4999);
    const late = await call(server.port);
    expect(late.serial).toBe(after.serial);
    // So that API servers open their next connection elsewhere.
    expect([before.isLast, after.isLast, late.isLast]).toEqual([false, false, true]);
    await clock.advance(1);
    await closed;
    await expect(call(server.port)).rejects.toThrow(/ECONNREFUSED|ECONNRESET|refused/);
    expect(clock.pendingTimers).toBe(0);
  });

  test("serves the certificate that its source has when the port is open", async () => {
    let current = { certificate: first.certificate, key: first.key };
    const clock = new SimulatedClock();
    const server = await serveWebhooks(handler, {
      certificates: {
        get current() {
          const now = current;
          current = { certificate: second.certificate, key: second.key };
          return now;
        },
        onChange: () => () => {},
        run: () => Promise.resolve(),
      },
      clock,
      host: "127.0.0.1",
      port: 0,
      shutdownDelayMs: 0,
    });
    const { serial } = await call(server.port);
    // A connection without a request does not hold back the end.
    const idle = connect({ host: "127.0.0.1", port: server.port, rejectUnauthorized: false });
    await new Promise((resolve) => idle.once("secureConnect", resolve));
    expect(BigInt(`0x${serial}`)).toBe(serialOf(second));
    const ended = new Promise((resolve) => idle.once("close", resolve).resume());
    await Promise.all([server.close(), clock.advance(1)]);
    await ended;
  });

  test("waits for a certificate with its key, and keeps it when a later one is unusable", async () => {
    const clock = new SimulatedClock();
    const errors: unknown[] = [];
    const mismatch = { certificate: first.certificate, key: second.key };
    let change: (certificate: ServingCertificate) => void = () => {};
    const starting = serveWebhooks(handler, {
      certificates: {
        current: mismatch,
        onChange: (listener) => {
          change = listener;
          return () => {};
        },
        run: () => Promise.resolve(),
      },
      clock,
      log: { ...silentLog, warn: (message) => errors.push(message) },
      host: "127.0.0.1",
      port: 0,
      shutdownDelayMs: 0,
    });
    await clock.settle();
    expect(errors).toEqual(["Certificate failed"]);
    change({ certificate: first.certificate, key: first.key });
    const server = await starting;
    const { serial } = await call(server.port);
    for (const text of ["", "x", authority.certificate + first.certificate]) {
      change({ certificate: text, key: first.key });
    }
    change(mismatch);
    expect((await call(server.port)).serial).toBe(serial);
    await Promise.all([server.close(), clock.advance(1)]);
    expect(clock.pendingTimers).toBe(0);
  });

  test("starts with the second of two certificates that come at once, if the first is unusable", async () => {
    const clock = new SimulatedClock();
    const listeners = new Set<(certificate: ServingCertificate) => void>();
    let current: ServingCertificate | undefined;
    const starting = serveWebhooks(handler, {
      certificates: {
        get current() {
          return current;
        },
        onChange: (listener) => {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
        run: () => Promise.resolve(),
      },
      clock,
      log: silentLog,
      host: "127.0.0.1",
      port: 0,
      shutdownDelayMs: 0,
    });
    await clock.settle();
    for (const { certificate } of [second, first]) {
      current = { certificate, key: first.key };
      for (const listener of listeners) listener(current);
    }
    const server = await starting;
    const { serial } = await call(server.port);
    expect(BigInt(`0x${serial}`)).toBe(serialOf(first));
    await Promise.all([server.close(), clock.advance(1)]);
  });

  test("answers 400 to a body that is too long and to an unusable host, and goes on", async () => {
    const clock = new SimulatedClock();
    const server = await serveWebhooks(handler, {
      certificates: fixed(first),
      clock,
      host: "127.0.0.1",
      port: 0,
      shutdownDelayMs: 0,
    });
    const head = "POST /mutate/v1/configmaps HTTP/1.1\r\ncontent-type: application/json\r\n";
    const size = 8 * 1024 * 1024;
    const chunk = `${size.toString(16)}\r\n${"x".repeat(size)}\r\n`;
    const long = `${head}host: a\r\ntransfer-encoding: chunked\r\n\r\n${chunk}${chunk}0\r\n\r\n`;
    expect(await statusOf(server.port, long)).toBe("HTTP/1.1 400 Bad Request");
    expect(await statusOf(server.port, `${head}host: a b\r\ncontent-length: 0\r\n\r\n`)).toBe(
      "HTTP/1.1 400 Bad Request",
    );
    expect(JSON.parse((await call(server.port)).body)).toMatchObject({
      response: { allowed: true },
    });
    await Promise.all([server.close(), clock.advance(1)]);
  });

  test("ends its wait for a certificate with its signal", async () => {
    const clock = new SimulatedClock();
    const stop = new AbortController();
    const certificates = certificatesFromFiles({
      certificate: join(folder, "none"),
      key: join(folder, "none"),
      clock,
      onError: () => {},
    });
    const starting = serveWebhooks(handler, { certificates, clock, port: 0, signal: stop.signal });
    stop.abort(new Error("stopped"));
    await expect(starting).rejects.toThrow("stopped");
    await clock.settle();
    expect(clock.pendingTimers).toBe(0);
  });
});

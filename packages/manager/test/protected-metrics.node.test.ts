import { X509Certificate } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { Agent, request as requestOverTls } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { createConnection } from "@listwatch/client";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { createManager, type ManagerOptions } from "@listwatch/manager";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
// @boundaries-ignore a package for tests that makes certificates
import {
  CertificateAuthority,
  type Credentials,
} from "../../fake-apiserver/src/certificates/certificate-authority.ts";
import { LineLog } from "./support/lines.ts";
import { read } from "./support/pages.ts";

const reader = {
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "ClusterRole",
  metadata: { name: "metrics-reader" },
  rules: [{ nonResourceURLs: ["/metrics"], verbs: ["get"] }],
};
const binding = {
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "ClusterRoleBinding",
  metadata: { name: "metrics-reader" },
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "metrics-reader" },
  subjects: [{ kind: "User", name: "prometheus", apiGroup: "rbac.authorization.k8s.io" }],
};
const users = {
  operator: { username: "operator", groups: ["system:masters"] },
  scraper: { username: "prometheus", groups: [] },
  other: { username: "jane", groups: [] },
};

const clock = new SimulatedClock();
let end: () => Promise<void> = () => Promise.resolve();
afterEach(() => end());

async function start(server: ManagerOptions["server"]) {
  const api = new FakeApiServer({ users, authorization: "rbac", clock });
  const connection = createConnection({
    server: "http://cluster",
    headers: { authorization: "Bearer operator" },
    fetch: (request) => api.fetch(request),
  });
  const log = new LineLog();
  const manager = createManager(connection, {
    name: "operator",
    signals: false,
    clock,
    telemetry: { log },
    server,
  });
  const rbac = { group: "rbac.authorization.k8s.io", version: "v1" };
  await manager.client.resource({ ...rbac, resource: "clusterroles" }).create(reader);
  await manager.client.resource({ ...rbac, resource: "clusterrolebindings" }).create(binding);
  const stop = new AbortController();
  const running = manager.run(stop.signal);
  end = async () => {
    stop.abort();
    await clock.advance(1000);
    await running;
  };
  await clock.advance(1000);
  const line = log.lines.find(({ message }) => message === "Metrics are served");
  const port = Number(line?.fields["port"]);
  const scrape = async (token?: string, path = "/metrics"): Promise<number> => {
    const headers: Record<string, string> =
      token === undefined ? {} : { authorization: `Bearer ${token}` };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    await response.text();
    return response.status;
  };
  const reviews = (): number =>
    api.control.recorder.list({ resource: "tokenreviews" }).length +
    api.control.recorder.list({ resource: "subjectaccessreviews" }).length;
  return { api, log, manager, port, reviews, scrape };
}

describe("protected metrics", () => {
  test("are for users with the permission alone, who are asked for once a minute", async () => {
    const { manager, reviews, scrape } = await start({
      port: 0,
      host: "127.0.0.1",
      protectedMetrics: { port: 0 },
    });
    expect((await read(manager, "/metrics")).status).toBe(404);
    expect(await scrape()).toBe(401);
    expect(await scrape("stranger")).toBe(401);
    expect(await scrape("other")).toBe(403);
    expect(reviews()).toBe(3);
    expect(await scrape("scraper")).toBe(200);
    expect(await scrape("scraper")).toBe(200);
    expect(await scrape("scraper", "/other")).toBe(404);
    expect(reviews()).toBe(5);
    await clock.advance(61_000);
    expect(await scrape("scraper")).toBe(200);
    expect(reviews()).toBe(7);
  });

  test("are refused while the API server does not answer, which is not kept", async () => {
    const { api, scrape } = await start({
      port: 0,
      host: "127.0.0.1",
      protectedMetrics: { port: 0 },
    });
    api.control.faults.add({
      match: { resource: "tokenreviews" },
      times: 1,
      action: { type: "reset" },
    });
    expect(await scrape("scraper")).toBe(500);
    expect(await scrape("scraper")).toBe(200);
  });
});

describe("protected metrics over TLS", () => {
  let authority: CertificateAuthority;
  let folder: string;
  const server = { port: 0, host: "127.0.0.1" };

  beforeEach(async () => {
    authority = await CertificateAuthority.create("test");
    folder = await mkdtemp(join(tmpdir(), "metrics-"));
    return () => rm(folder, { recursive: true });
  });

  async function write({ certificate, key }: Credentials): Promise<void> {
    await writeFile(join(folder, "tls.crt"), certificate);
    await writeFile(join(folder, "tls.key"), key);
  }

  const paths = () => ({
    certificateFile: join(folder, "tls.crt"),
    keyFile: join(folder, "tls.key"),
  });

  const serialOf = ({ certificate }: Credentials): string =>
    new X509Certificate(certificate).serialNumber;

  /** Reads the metrics on a new connection that trusts the authority alone. */
  function scrapeSecurely(
    port: number,
    token?: string,
  ): Promise<{ readonly status: number | undefined; readonly serial: string; text: string }> {
    const headers: Record<string, string> =
      token === undefined ? {} : { authorization: `Bearer ${token}` };
    const options = { host: "localhost", family: 4, port, path: "/metrics", headers };
    return new Promise((resolve, reject) => {
      const agent = new Agent({ ca: authority.certificate, keepAlive: false });
      requestOverTls({ ...options, agent }, (response) => {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        const serial = (response.socket as TLSSocket).getPeerCertificate().serialNumber;
        let text = "";
        response
          .setEncoding("utf8")
          .on("data", (part: string) => void (text += part))
          .on("end", () => resolve({ status: response.statusCode, serial, text }))
          .on("error", reject);
      })
        .on("error", reject)
        .end();
    });
  }

  test("are for users with the permission, and a client without TLS gets none", async () => {
    const { certificate, key } = await authority.issueServer(["localhost"]);
    const { port, scrape } = await start({
      ...server,
      protectedMetrics: { port: 0, tls: { certificate, key } },
    });
    expect(await scrapeSecurely(port)).toMatchObject({ status: 401 });
    expect(await scrapeSecurely(port, "other")).toMatchObject({ status: 403 });
    expect(await scrapeSecurely(port, "scraper")).toMatchObject({
      status: 200,
      text: expect.stringContaining("# TYPE rest_client_requests_total counter"),
    });
    await expect(scrape("scraper")).rejects.toThrow(TypeError);
  });

  test("have the renewed certificate of files, and keep it while these cannot be used", async () => {
    const [first, second] = [
      await authority.issueServer(["localhost"]),
      await authority.issueServer(["localhost"]),
    ];
    await write(first);
    const { log, port } = await start({ ...server, protectedMetrics: { port: 0, tls: paths() } });
    expect((await scrapeSecurely(port, "scraper")).serial).toBe(serialOf(first));
    await write({ ...second, key: first.key });
    await clock.advance(10_000);
    expect(await scrapeSecurely(port, "scraper")).toMatchObject({
      status: 200,
      serial: serialOf(first),
    });
    expect(log.lines.map(({ message }) => message)).toContain(
      "Certificate of metrics is not renewed",
    );
    await write(second);
    await clock.advance(10_000);
    expect(await scrapeSecurely(port, "scraper")).toMatchObject({
      status: 200,
      serial: serialOf(second),
    });
  });

  test("end the manager if the files are missing, with the path", async () => {
    const api = new FakeApiServer({ clock });
    const manager = createManager(
      createConnection({ server: "http://cluster", fetch: api.fetch }),
      {
        name: "operator",
        signals: false,
        clock,
        telemetry: { log: new LineLog() },
        server: { ...server, protectedMetrics: { port: 0, tls: paths() } },
      },
    );
    const failed = manager.run().catch((error: unknown) => error);
    await clock.advance(1000);
    expect(await failed).toMatchObject({
      code: "LW_LISTEN",
      message: expect.stringContaining(join(folder, "tls.crt")),
    });
    end = () => Promise.resolve();
  });

  test("refuse options that mix PEM and paths", () => {
    const api = new FakeApiServer({ clock });
    const connection = createConnection({ server: "http://cluster", fetch: api.fetch });
    const tls = { certificate: "", keyFile: "" };
    expect(() =>
      createManager(connection, {
        name: "operator",
        server: { protectedMetrics: { tls: tls as never } },
      }),
    ).toThrow(/certificate and key as PEM, or certificateFile and keyFile as paths/);
  });
});

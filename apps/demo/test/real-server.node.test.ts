import type { FetchFunction } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { SimulatedClock } from "listwatch/testing";
import { expect, test } from "vitest";
import { DemoRun } from "./support/demo-run.ts";

const json = { "content-type": "application/json" };
const proof =
  /✓ (re)?connected after \d+\.\d+ s · \d+ changes? caught up · cache = server \((\d+) = \2\)/;

/** A server that is not the demo's own. */
class RealServer {
  readonly clock = new SimulatedClock();
  readonly server = new FakeApiServer({ clock: this.clock });
  /** Whether connections are refused. */
  isAway = false;

  readonly fetch: FetchFunction = (request) => {
    if (!this.isAway) return this.server.fetch(request);
    const cause = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    return Promise.reject(new TypeError("fetch failed", { cause }));
  };

  /** Starts a demo that watches it. */
  watch(...args: readonly string[]): DemoRun {
    const { clock, fetch } = this;
    return new DemoRun(["--server", "http://demo", ...args], { clock, fetch });
  }

  async create(path: string, name: string): Promise<void> {
    const body = JSON.stringify({ metadata: { name } });
    const request = new Request(`http://demo${path}`, { method: "POST", headers: json, body });
    const { status } = await this.server.fetch(request);
    if (status !== 201) throw new Error(`Expected to create ${name}, got ${status}`);
  }

  /** Answers requests with a status. */
  refuse(code: number, times = Infinity, resource?: string): void {
    const action = { type: "status", status: { code } } as const;
    this.server.control.faults.add({
      match: resource === undefined ? {} : { resource },
      action,
      times,
    });
  }
}

/** How often these words were printed. */
function occurrences({ text }: DemoRun, part: string): number {
  return text.split(part).length - 1;
}

test("a run in a pipe prints a line for each event, and a summary", async () => {
  await using demo = new DemoRun([]);
  await demo.clock.advance(20_000);
  expect(await demo.end()).toEqual([]);
  const event =
    /^\d\d:\d\d:\d\d\.\d{3} (ADDED  |UPDATED|DELETED) [a-z0-9-]+\/[a-z0-9-]+ {2}(was )?[A-Z][A-Za-z0-9→ ()/-]+$/;
  const notice = /^\d\d:\d\d:\d\d\.\d{3} ------ {2}\S.+$/;
  const { lines } = demo;
  const end = lines.findIndex((line) => line.startsWith("Summary: "));
  const history = lines.slice(0, end);
  for (const line of history) expect(event.test(line) || notice.test(line)).toBe(true);
  const notices = history.filter((line) => notice.test(line)).map((line) => line.slice(21));
  expect(notices).toEqual([
    "Connecting to http://demo",
    expect.stringMatching(/^Listed 25 objects at resourceVersion \d+ in \d+ ms$/),
    "Watching pods at http://demo",
  ]);
  const count = (kind: string) => history.filter((line) => line.slice(13).startsWith(kind)).length;
  const [added, updated, deleted] = [count("ADDED"), count("UPDATED"), count("DELETED")];
  expect(added).toBeGreaterThan(20);
  expect(updated).toBeGreaterThan(5);
  expect(history.some((line) => line.endsWith("ContainerCreating → Running"))).toBe(true);
  const total = added + updated + deleted;
  expect(lines.slice(end)).toEqual([
    "Summary: pods in all namespaces at http://demo, 20.0 s",
    `  events     ${total}: ${added} added, ${updated} updated, ${deleted} deleted`,
    expect.stringMatching(/^ {2}cache {6}\d+ objects at resourceVersion \d+$/),
    expect.stringMatching(
      /^ {2}objects {4}analytics \d+, kube-system \d+, payments \d+, shop \d+$/,
    ),
    "  recoveries 0",
  ]);
});

test("a run that ends while the cluster is being set up ends well", async () => {
  await using demo = new DemoRun([]);
  expect(await demo.end()).toEqual([]);
  expect(demo.text).toContain("Summary: pods in all namespaces");
});

test("--resource and --namespace choose what is watched", async () => {
  await using demo = new DemoRun(["--resource", "po", "--namespace", "shop"]);
  await demo.clock.advance(5000);
  expect(await demo.end()).toEqual([]);
  expect(demo.text).toContain(" ADDED   shop/frontend-");
  expect(demo.text).toContain("Summary: po in shop at");
  expect(demo.text).not.toContain("payments/");
});

test("resources of the cluster are not looked for in a namespace", async () => {
  await using demo = new DemoRun(["--resource", "ns", "--namespace", "shop"]);
  await demo.until("ADDED   shop  Active (listed)");
  expect(await demo.end()).toEqual([]);
});

test("--server watches any resource of an API server, of a group found by discovery too", async () => {
  const real = new RealServer();
  const path = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
  await real.create(path, "scheduler");
  const resource = "leases.coordination.k8s.io";
  await using demo = real.watch("--resource", resource);
  await demo.until("kube-system/scheduler");
  await real.create(path, "manager");
  await demo.until("kube-system/manager");
  expect(await demo.end()).toEqual([]);
  expect(demo.text).toContain(`Summary: ${resource} in all namespaces`);
});

test("401, 403 and 404 each give one line, the program stays alive and recovers", async () => {
  const real = new RealServer();
  await real.create("/api/v1/namespaces", "shop");
  await real.create("/api/v1/namespaces/shop/configmaps", "flags");
  for (const code of [401, 403, 404]) real.refuse(code, 2, "configmaps");
  await using demo = real.watch("--resource", "configmaps");
  await demo.until("shop/flags");
  await demo.until(proof);
  expect(occurrences(demo, "does not know who you are (401 Unauthorized)")).toBe(1);
  expect(occurrences(demo, "does not let you watch this (403 Forbidden)")).toBe(1);
  expect(occurrences(demo, "has no such resource (404 Not Found)")).toBe(1);
  expect(await demo.end()).toEqual([]);
});

test.each(["nonsense", "nonsense.apps", "pods.nonsense.example.com"])(
  "the resource %s, which no group has, is named, and the program stays alive",
  async (resource) => {
    await using demo = new RealServer().watch("--resource", resource);
    await demo.clock.advance(20_000);
    expect(await demo.end()).toEqual([
      expect.stringMatching(/^http:\/\/demo could not be watched: .* has no such resource/),
    ]);
    expect(occurrences(demo, `the server has no resource "${resource}"`)).toBe(1);
    expect(occurrences(demo, "Listing again in")).toBeGreaterThanOrEqual(2);
  },
);

test("a server that never answers is not watched, which is a failure", async () => {
  const real = new RealServer();
  real.isAway = true;
  await using demo = real.watch();
  await demo.clock.advance(30_000);
  expect(await demo.end()).toEqual(["http://demo has never answered"]);
  expect(demo.text).toContain("------  Connecting to http://demo\n");
  expect(occurrences(demo, "nothing listens there (connection refused)")).toBe(1);
  expect(demo.text).not.toMatch(/watching/i);
});

test.each([401, 403, 404])("a server that answers all with %i was not watched", async (code) => {
  const real = new RealServer();
  real.refuse(code);
  await using demo = real.watch();
  await demo.clock.advance(20_000);
  expect(await demo.end()).toEqual([
    expect.stringMatching(new RegExp(`^http://demo could not be watched: .*\\(${code} `)),
  ]);
  expect(demo.text).not.toContain("Watching pods");
});

test("a server that is not there yet gives one line and is found when it comes", async () => {
  const real = new RealServer();
  real.isAway = true;
  await using demo = real.watch();
  await demo.until("connection refused");
  await demo.clock.advance(60_000);
  real.isAway = false;
  await demo.until(proof);
  expect(demo.text).toContain("✓ connected after");
  expect(occurrences(demo, "nothing listens there (connection refused)")).toBe(1);
  expect(await demo.end()).toEqual([]);
  expect(demo.text).toContain("recoveries 1");
});

import { FakeApiServer } from "listwatch/fake-apiserver";
import { SimulatedClock } from "listwatch/testing";
import { expect, test } from "vitest";
import { DemoRun } from "./support/demo-run.ts";

const ownNamespace = /listwatch-demo-[0-9a-f]{8}/;
const real = ["--server", "http://demo"];

function startServer() {
  const clock = new SimulatedClock();
  const server = new FakeApiServer({ clock, namespaceDeletion: "never" });
  const { control, fetch } = server;
  const names = async (path: string): Promise<readonly string[]> => {
    const response = await fetch(new Request(`http://demo${path}`));
    const { items } = (await response.json()) as {
      readonly items: readonly {
        readonly metadata: { name: string; deletionTimestamp?: string };
      }[];
    };
    const left = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    return left.map(({ metadata }) => metadata.name);
  };
  return { clock, control, fetch, names };
}

test("on a real cluster pods come, change and go in a namespace that is deleted at the end", async () => {
  const { clock, control, fetch, names } = startServer();
  await using demo = new DemoRun(real, { clock, fetch });
  await demo.until(
    /------ {2}Makes pods in the namespace listwatch-demo-\w+, which goes at the end/,
  );
  await demo.until(/ADDED {3}listwatch-demo-\w+\/guest-1 {2}Pending/);
  await demo.until(/UPDATED listwatch-demo-\w+\/guest-1 {2}Pending/);
  await demo.until(/DELETED listwatch-demo-\w+\/guest-1 {2}was /);
  const [namespace = ""] = ownNamespace.exec(demo.text) ?? [];
  expect(await names("/api/v1/namespaces")).toContain(namespace);
  // A scheduler takes none of them.
  const { object } = control.eventLog("pods")[0] ?? {};
  expect(object?.["spec"]).toMatchObject({ schedulingGates: [{ name: "example.com/never" }] });
  expect(await demo.end()).toEqual([]);
  expect(demo.text).toContain(`\nDeleted the namespace ${namespace}\nSummary: pods`);
  expect(await names("/api/v1/namespaces")).not.toContain(namespace);
  expect(await names("/api/v1/pods")).toEqual([]);
});

test("b, d, l and h work on a real cluster", async () => {
  const { clock, fetch } = startServer();
  await using demo = new DemoRun(real, { clock, fetch, size: [120, 40] });
  await demo.until("Makes pods in");
  demo.type("b");
  await demo.until("Started 20 pods (key b)");
  await demo.until(/✓ 20 pods in the cache after \d+\.\d+ s · cache = server \((\d+) = \1\)/);
  demo.type("d");
  await demo.until(/✓ reconnected after .* caught up · cache = server \((\d+) = \1\)/);
  demo.type("l");
  await demo.until(/✓ changes arrive (0\.[89]|1\.)\d* s late/);
  demo.type("h");
  await demo.until(/audit [2-9] waiting/);
  expect(demo.screen.join("\n")).toContain("screen 0 waiting  metrics 0 waiting");
  demo.type("q");
  expect(await demo.ended()).toEqual([]);
  expect(demo.text).toMatch(/Deleted the namespace listwatch-demo-\w+\nSummary: pods/);
});

test("before there is a namespace b says so", async () => {
  const { clock, control, fetch } = startServer();
  const action = { type: "latency", ms: 60_000 } as const;
  control.faults.add({ match: { verb: "create", resource: "namespaces" }, action });
  await using demo = new DemoRun(real, { clock, fetch, size: [120, 40] });
  await demo.until("● watching");
  demo.type("b");
  await demo.until("There is no place to make pods in (key b)");
  expect(await demo.end()).toEqual([]);
});

test("--read-only sends nothing but reads", async () => {
  const { clock, control, fetch } = startServer();
  await using demo = new DemoRun([...real, "--read-only"], { clock, fetch });
  await demo.clock.advance(20_000);
  expect(await demo.end()).toEqual([]);
  const methods = control.recorder.list().map(({ method }) => method);
  expect(methods.length).toBeGreaterThan(1);
  expect(new Set(methods)).toEqual(new Set(["GET"]));
});

test.each([
  ["--resource", "configmaps"],
  ["--namespace", "shop"],
])("where its pods would not be seen, with %s %s, the demo makes none", async (...args) => {
  const { clock, control, fetch } = startServer();
  await using demo = new DemoRun([...real, ...args], { clock, fetch });
  await demo.clock.advance(20_000);
  expect(await demo.end()).toEqual([]);
  expect(control.recorder.list({ method: "POST" })).toEqual([]);
});

test("without the right to make a namespace the demo says so once, watches, and leaves nothing", async () => {
  const { clock, control, fetch } = startServer();
  const status = { code: 403, reason: "Forbidden", message: "no, not you" } as const;
  const match = { verb: "create", resource: "namespaces" } as const;
  control.faults.add({ match, action: { type: "status", status }, times: Infinity });
  await using demo = new DemoRun(real, { clock, fetch });
  await demo.clock.advance(60_000);
  expect(await demo.end()).toEqual([]);
  expect(demo.text.split("Cannot change anything here: no, not you").length).toBe(2);
  expect(demo.text).toContain("Watching pods at http://demo");
  expect(demo.text).not.toContain("Deleted the namespace");
  expect(control.recorder.list({ method: "DELETE" })).toEqual([]);
});

test("a namespace that may be left behind is a failure", async () => {
  const { clock, control, fetch } = startServer();
  await using demo = new DemoRun(real, { clock, fetch });
  await demo.until("Makes pods in");
  const status = { code: 403, reason: "Forbidden", message: "no more" } as const;
  const match = { verb: "delete", resource: "namespaces" } as const;
  control.faults.add({ match, action: { type: "status", status }, times: Infinity });
  expect(await demo.end()).toEqual([
    expect.stringMatching(/^the namespace listwatch-demo-\w+ may be left behind: no more$/),
  ]);
});

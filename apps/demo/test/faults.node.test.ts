import { FakeApiServer } from "listwatch/fake-apiserver";
import { SimulatedClock } from "listwatch/testing";
import { expect, test } from "vitest";
import { DemoRun } from "./support/demo-run.ts";

const equal = "cache = server \\((\\d+) = \\1\\)";
const reconnected = new RegExp(
  `✓ reconnected after (\\d+\\.\\d+) s · (\\d+) changes? caught up · ${equal.replaceAll("1", "3")}`,
);
const size = [100, 30] as const;

/** A demo that watches its own cluster. */
async function watching(): Promise<DemoRun> {
  const demo = new DemoRun([], { size });
  await demo.until("● watching");
  // Its watch has brought something, so that it is not one that never worked.
  await demo.until("UPDATED");
  return demo;
}

/** The measured number in the last picture. */
function measured(demo: DemoRun, pattern: RegExp): number {
  return Number(pattern.exec(demo.screen.join("\n"))?.[1] ?? Number.NaN);
}

/** The lines of the last picture that have these words. */
function notes(demo: DemoRun, text: string): number {
  return demo.screen.filter((line) => line.includes(text)).length;
}

test("d breaks the connection: the watch comes back and catches up", async () => {
  await using demo = await watching();
  demo.type("d");
  await demo.until("Broke the connection (key d)");
  await demo.until("Lost http://demo: connection reset (ECONNRESET) by the demo");
  await demo.until(reconnected);
  expect(demo.screen.join("\n")).toContain("recoveries 1");
  const version = measured(demo, /rv (\d+)/);
  await demo.until(() => measured(demo, /rv (\d+)/) > version);
});

test("d catches up what happened meanwhile, and counts it", async () => {
  await using demo = await watching();
  demo.type("bd");
  await demo.until(reconnected);
  expect(measured(demo, /after \S+ s · (\d+) changes caught up/)).toBeGreaterThan(100);
});

test("c compacts the history: the watch is refused with 410, and lists again", async () => {
  await using demo = await watching();
  demo.type("c");
  await demo.until(/Compacted the history up to resourceVersion \d+ \(key c\)/);
  await demo.until("410 Expired");
  await demo.until(/Listed \d+ objects at/);
  await demo.until(reconnected);
  // Newest first: the proof stands above the list that it is about.
  expect(demo.screen.join("\n")).toMatch(/✓ reconnected [^]*Listed \d+ objects[^]*410 Expired/);
  expect(demo.screen.join("\n")).toContain("recoveries 1");
});

test("s refuses with 429 for a while, and the watch comes back", async () => {
  await using demo = await watching();
  demo.type("ss");
  await demo.until("The server refuses every list and watch with 429 for 5 s (key s)");
  await demo.until("The storm goes on (key s)");
  await demo.until(" 429 storm · ");
  await demo.until("answers 429 Too Many Requests");
  expect(demo.screen.join("\n")).not.toContain("● watching");
  await demo.until(/The storm is over: [1-9]\d* requests? refused with 429/);
  await demo.until(reconnected);
  expect(measured(demo, /reconnected after (\S+) s/)).toBeGreaterThanOrEqual(5);
  expect(demo.screen.join("\n")).not.toContain(" 429 storm · ");
});

test("l makes the network slow, and changes arrive as much later", async () => {
  await using demo = await watching();
  const late = /✓ changes arrive (\d\.\d\d) s late \(median of \d+\) · cache = /;
  demo.type("l");
  await demo.until(/ latency 800 ms · [^]* l LATENCY /);
  await demo.until(late);
  expect(measured(demo, late)).toBeGreaterThanOrEqual(0.8);
  demo.type("d");
  await demo.until(reconnected);
  expect(measured(demo, /reconnected after (\S+) s/)).toBeGreaterThanOrEqual(0.8);
  demo.type("l");
  await demo.until(() => measured(demo, late) < 0.8);
  expect(demo.screen.join("\n")).not.toContain("latency 800 ms · ");
  expect(demo.screen.at(-1)).toContain(" l latency ");
});

test("h makes a handler slow: its mailbox grows, the others go on; again, and it catches up", async () => {
  await using demo = await watching();
  const waiting = /audit (\d+) waiting/;
  demo.type("h");
  await demo.until(/ slow handler · [^]* h SLOW /);
  await demo.until(() => measured(demo, waiting) >= 2);
  expect(demo.screen.join("\n")).toMatch(
    /screen 0 waiting {2}metrics 0 waiting {2}audit \d+ waiting █/,
  );
  await demo.until(new RegExp(`✓ audit: \\d+ waiting; others: 0, \\d+ delivered · ${equal}`));
  demo.type("h");
  await demo.until(
    /✓ audit caught up \d+ events? in \d+\.\d+ s · the same history as screen \(\d+\)/,
  );
  await demo.until(() => measured(demo, waiting) === 0);
});

test("a key that is pressed again makes the proof of the first press void", async () => {
  await using demo = await watching();
  demo.type("l");
  await demo.clock.advance(1000);
  demo.type("l");
  await demo.until("✓ changes arrive");
  await demo.clock.advance(10_000);
  expect(notes(demo, "changes arrive")).toBe(1);
  expect(measured(demo, /changes arrive (\S+) s/)).toBeLessThan(0.8);
});

test("b brings many pods at once", async () => {
  await using demo = await watching();
  demo.type("b");
  await demo.until("Started 200 pods (key b)");
  await demo.until(/analytics 20\d /);
  await demo.until(new RegExp(`✓ 200 pods in the cache after \\d+\\.\\d+ s · ${equal}`));
  expect(demo.screen.join("\n")).toContain("● watching");
});

test("keys typed before the first watch are acted on once, in their order, when it is open", async () => {
  await using demo = new DemoRun([], { size: [100, 60] });
  // The first of them before there is a session and a picture.
  demo.type("hd");
  await demo.clock.settle();
  expect(demo.screen.join("\n")).toContain("● starting");
  expect(notes(demo, "Waits for the first watch (key h)")).toBe(1);
  demo.type("L");
  await demo.clock.settle();
  expect(demo.text).not.toMatch(/Handler audit|Broke|Requests and/);
  await demo.until("✓ audit: ");
  await demo.until("✓ changes arrive");
  await demo.until(reconnected);
  // Newest first.
  const lines = demo.screen.join("\n");
  expect(lines).toMatch(/Requests and[^]*Broke the[^]*Handler audit[^]*Watching pods/);
  for (const text of ["Requests and", "Broke the", "Handler audit"]) {
    expect(notes(demo, text)).toBe(1);
  }
});

test("a key waits as long as the server is away; help and quit do not", async () => {
  const clock = new SimulatedClock();
  const server = new FakeApiServer({ clock });
  const action = { type: "status", status: { code: 503 } } as const;
  const outage = server.control.faults.add({ match: {}, action, times: Infinity });
  const args = ["--server", "http://demo", "--read-only"];
  await using demo = new DemoRun(args, { size, clock, fetch: server.fetch });
  await demo.until("answers 503");
  demo.type("d?");
  await demo.until("compared each object");
  demo.type("?");
  await demo.until("Waits for the first watch (key d)");
  await demo.clock.advance(10_000);
  expect(demo.text).not.toContain("Broke the connection");
  outage.remove();
  await demo.until("Broke the connection (key d)");
  await demo.until("✓ reconnected");
  expect(notes(demo, "Broke the connection")).toBe(1);
  demo.type("q");
  expect(await demo.ended()).toEqual([]);
});

test("d says so when there is nothing to break", async () => {
  const clock = new SimulatedClock();
  const server = new FakeApiServer({ clock });
  const args = ["--server", "http://demo", "--read-only"];
  await using demo = new DemoRun(args, { size, clock, fetch: server.fetch });
  await demo.until("● watching");
  const action = { type: "status", status: { code: 503 } } as const;
  server.control.faults.add({ match: {}, action, times: Infinity });
  demo.type("d");
  await demo.until("● waiting");
  demo.type("d");
  await demo.until("No connection is open (key d)");
  expect(await demo.end()).toEqual([]);
});

test("on a real cluster c, s and m say why they do nothing, and are not in the line of keys", async () => {
  const clock = new SimulatedClock();
  const server = new FakeApiServer({ clock });
  const args = ["--server", "http://demo", "--read-only"];
  await using demo = new DemoRun(args, { size, clock, fetch: server.fetch });
  await demo.until("● watching");
  expect(demo.screen.at(-1)).toBe(" d drop l latency h slow b burst p pause ? help q quit");
  for (const key of ["c", "s", "m"]) {
    demo.type(key);
    await demo.until(`Only on a cluster of the demo's own (key ${key})`);
  }
  demo.type("b");
  await demo.until("There is no place to make pods in (key b)");
  demo.type("?");
  await demo.until(/ lists again \(not on a cluster$/m);
});

test("where pods are not watched m makes none, and b proves nothing", async () => {
  await using demo = new DemoRun(["--resource", "namespaces"], { size });
  await demo.until("● watching");
  demo.type("m");
  await demo.until("Its pods would not be seen here (key m)");
  demo.type("b");
  await demo.until("Started 200 pods (key b)");
  await demo.clock.advance(10_000);
  expect(demo.text).not.toContain("✓ 200 pods");
});

import assert from "node:assert/strict";
import { stripVTControlCharacters } from "node:util";
import { EventFeed } from "../../scripts/demo/event-feed.ts";
import { duration, renderFrame } from "../../scripts/demo/live-frame.ts";
import type { Snapshot } from "../../scripts/demo/snapshot.ts";
import { test } from "./harness.ts";

const nowMs = 100_000;
const keys = [
  { key: "d", label: "drop" },
  { key: "q", label: "quit" },
];

function snapshotWith(overrides: Partial<Snapshot> = {}): Snapshot {
  const feed = new EventFeed();
  for (let index = 0; index < 40; index++) {
    const key = `shop/a-pod-with-a-long-name-${index}`;
    const detail = "Pending → Running";
    feed.record({ kind: "update", key, detail, atMs: nowMs - 40_000 + index * 1000 });
  }
  return {
    title: "pods in all namespaces",
    server: "http://127.0.0.1:8001",
    startedMs: 0,
    nowMs,
    connection: { health: "good", phase: "watching", detail: "since 3s" },
    resourceVersion: "1042",
    queued: 3,
    queuedPeak: 17,
    objects: 12,
    objectsByNamespace: new Map([
      ["shop", 9],
      ["kube-system", 3],
    ]),
    feed,
    notices: [{ text: "Recovered: watching from resourceVersion 1040", atMs: nowMs - 3000 }],
    recoveries: 0,
    ...overrides,
  };
}

function plain(lines: readonly string[]): string[] {
  return lines.map((line) => stripVTControlCharacters(line));
}

test("a frame has as many lines as the terminal and none is wider, from 20×6 to 200×60", () => {
  for (const columns of [20, 40, 79, 80, 81, 120, 200]) {
    for (const rows of [6, 10, 16, 24, 25, 40, 60]) {
      const lines = plain(renderFrame(snapshotWith(), { columns, rows }, keys));
      assert.equal(lines.length, rows);
      for (const line of lines) assert.ok(line.length <= columns, `${columns}×${rows}: ${line}`);
    }
  }
});

test("a frame of 80×24 shows every stage with its number, each namespace, events and keys", () => {
  const text = plain(renderFrame(snapshotWith(), { columns: 80, rows: 24 }, keys)).join("\n");
  for (const part of [
    "● watching",
    "rv 1042",
    "3 (peak 17)",
    "12 objects",
    "40 events",
    "shop ",
    "kube-system ",
    "Events per second  1.0",
    "3s  Recovered: watching from resourceVersion 1040",
    "updated",
    "a-pod-with-a-long-name-39",
    " d  drop",
  ]) {
    assert.ok(text.includes(part), `expected "${part}" in\n${text}`);
  }
});

test("more namespaces than there is room for are counted in the last line", () => {
  const objectsByNamespace = new Map(
    Array.from({ length: 40 }, (_, index): [string, number] => [`team-${index}`, index]),
  );
  const lines = plain(
    renderFrame(snapshotWith({ objectsByNamespace }), { columns: 80, rows: 24 }, keys),
  );
  assert.match(lines.join("\n"), /and 3[0-9] more/);
});

test("control characters from a server do not reach the terminal", () => {
  const feed = new EventFeed();
  feed.record({ kind: "add", key: "evil\u001b[2J\u0007", detail: "\r\n", atMs: nowMs });
  const text = plain(renderFrame(snapshotWith({ feed }), { columns: 80, rows: 24 }, keys)).join("");
  assert.ok(text.includes("evil [2J"));
  assert.ok(!text.includes("\u001b") && !text.includes("\u0007"));
});

test("ages take at most six characters", () => {
  const ages = [0, 59_999, 60_000, 3_599_000, 3_600_000, 86_400_000].map((ms) => duration(ms));
  assert.deepEqual(ages, ["0s", "59s", "1m00s", "59m59s", "1h00m", "24h00m"]);
});

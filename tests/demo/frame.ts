import assert from "node:assert/strict";
import { stripVTControlCharacters } from "node:util";
import { EventFeed } from "../../apps/demo/src/event-feed.ts";
import { renderFrame } from "../../apps/demo/src/live-frame.ts";
import { duration } from "../../apps/demo/src/plain-text.ts";
import type { Snapshot } from "../../apps/demo/src/snapshot.ts";
import { test } from "./harness.ts";

const nowMs = 100_000;
const keys = [
  { key: "d", label: "drop", isHere: true },
  { key: "c", label: "compact", isHere: false },
  { key: "h", label: "slow", isHere: true, isOn: () => true },
  { key: "q", label: "quit", isHere: true },
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
    mailboxes: [
      { name: "screen", waiting: 0, delivered: 40, isSlow: false },
      { name: "audit", waiting: 7, delivered: 33, isSlow: true },
    ],
    faults: ["slow handler"],
    notices: [{ text: "✓ cache = server (12 = 12)", tone: "proof", atMs: nowMs - 3000 }],
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
    "slow handler · since 3s",
    "screen 0 waiting  audit 7 waiting ████",
    "✓ cache = server (12 = 12)                                                  3s",
    "updated",
    "a-pod-with-a-long-name-39",
    " d drop h SLOW q quit",
  ]) {
    assert.ok(text.includes(part), `expected "${part}" in\n${text}`);
  }
});

test("changes move from the server to the handlers, and states have colours", () => {
  const dotAt = (ageMs: number): number => {
    const feed = new EventFeed();
    const detail = "Pending → Running";
    feed.record({ kind: "add", key: "shop/a", detail, atMs: nowMs - ageMs });
    const lines = renderFrame(snapshotWith({ feed }), { columns: 80, rows: 24 }, keys);
    assert.ok(lines.join("\n").includes("\u001b[32mRunning\u001b[39m"), "expected green");
    return plain(lines)[3]?.indexOf("●") ?? -1;
  };
  const columns = [0, 300, 600, 900, 1150].map((ageMs) => dotAt(ageMs));
  assert.deepEqual(
    columns.toSorted((a, b) => a - b),
    columns,
  );
  assert.ok((columns[0] ?? 0) === 1 && (columns[4] ?? 0) > 70, columns.join(" "));
  assert.equal(dotAt(1200), -1);
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

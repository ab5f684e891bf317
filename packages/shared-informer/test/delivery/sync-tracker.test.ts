import { describe, expect, test } from "vitest";
import { SyncTracker } from "../../src/delivery/sync-tracker.ts";

describe("SyncTracker", () => {
  test("has synced when the source has and everything started is finished, in any order", async () => {
    const tracker = new SyncTracker();
    tracker.start();
    tracker.start();
    tracker.finish();
    tracker.sourceSynced();
    expect(tracker.hasSynced).toBe(false);
    tracker.finish();
    expect(tracker.hasSynced).toBe(true);
    await tracker.synced;
    tracker.start();
    expect(tracker.hasSynced).toBe(true);

    const empty = new SyncTracker();
    expect(empty.hasSynced).toBe(false);
    empty.sourceSynced();
    expect(empty.hasSynced).toBe(true);
  });

  test("throws when more is finished than was started", () => {
    expect(() => new SyncTracker().finish()).toThrow(RangeError);
  });

  test("can no longer sync when the source ended first", async () => {
    const tracker = new SyncTracker();
    tracker.end(new Error("gone"));
    tracker.sourceSynced();
    await expect(tracker.synced).rejects.toThrow("gone");
    expect(tracker.hasSynced).toBe(false);
  });
});

// Not in Chromium, which reads request bodies in separate tasks. A simulated clock cannot see when
// they end, and advances meanwhile.
import { describe, expect, test } from "vitest";
import { Election, maxSleepMs, takeoverMs } from "../support/election.ts";
import { Cluster } from "../support/cluster.ts";
import { passTime } from "../support/plan.ts";

/** CI runs the test on three runtimes. Each of the 1,000 schedules runs on one of them. */
const seedsOfRuntime = { node: [1, 500], deno: [501, 750], bun: [751, 1000] } as const;
const troubleMs = 15_000;
/** Elections that run concurrently on one server, to save time. */
const sideBySide = 25;

function seeds(): readonly number[] {
  const other = "Bun" in globalThis ? "bun" : "node";
  const [first, last] = seedsOfRuntime["Deno" in globalThis ? "deno" : other];
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Advances the clock from event to event, and checks the elections after each one. */
async function pass({ clock }: Cluster, elections: readonly Election[], ms: number): Promise<void> {
  const problem = await passTime(clock, ms, () => {
    const wrong = elections.find(({ leading, working }) => leading > 1 || working > 1);
    if (wrong === undefined) return undefined;
    const { leading, seed, timeline, working } = wrong;
    return `Seed ${seed}: ${leading} say that they lead, ${working} work\n${timeline}`;
  });
  if (problem !== undefined) throw new Error(problem);
}

function batches<T>(items: readonly T[], size: number): T[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}

describe("leader election of three machines that sleep, restart, lose requests and the lease, and have wrong clocks", () => {
  test("never has two leaders at once, and has one soon after the faults end (LE-2, LE-3, LE-5)", async () => {
    let deletions = 0;
    for (const batch of batches(seeds(), sideBySide)) {
      const cluster = new Cluster(batch[0]);
      const elections = batch.map((seed) => new Election(cluster, seed));
      for (let passedMs = 0; passedMs < troubleMs; passedMs += 1000) {
        await pass(cluster, elections, 1000);
        for (const election of elections) await election.disturb();
      }
      for (const election of elections) election.calm();
      await pass(cluster, elections, maxSleepMs);
      for (const election of elections) election.revive();
      await pass(cluster, elections, takeoverMs);
      for (const election of elections) {
        expect(election.leading, `leaders, seed ${election.seed}`).toBe(1);
        expect(election.terms).toBeGreaterThan(0);
        deletions += election.deletions;
        election.stop();
      }
      await pass(cluster, elections, maxSleepMs);
      await Promise.all(elections.map((election) => election.ended));
      expect(cluster.clock.pendingTimers).toBe(0);
    }
    expect(deletions).toBeGreaterThan(seeds().length / 4);
  });
});

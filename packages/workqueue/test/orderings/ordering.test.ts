import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FairOrdering, FifoOrdering, WorkQueue } from "@listwatch/workqueue";

describe("FifoOrdering", () => {
  test("is a list that is pushed and shifted, across its chunks", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -3000, max: 3000 }), { maxLength: 12 }), (bursts) => {
        const ordering = new FifoOrdering<number>();
        let pushed = 0;
        let popped = 0;
        for (const burst of bursts) {
          for (let index = 0; index < burst; index += 1) ordering.push((pushed += 1));
          for (let index = 0; index > burst; index -= 1) {
            expect(ordering.pop()).toBe(popped < pushed ? (popped += 1) : undefined);
          }
          expect(ordering.length).toBe(pushed - popped);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe("FairOrdering", () => {
  test("serves a quiet tenant next, however much a noisy one has waiting", () => {
    const queue = new WorkQueue<string>({ ordering: new FairOrdering() });
    for (let index = 0; index < 10_000; index += 1) queue.add(`noisy/${index}`);
    expect(queue.get()).toMatchObject({ item: "noisy/0" });
    queue.add("quiet/1");
    queue.add("cluster-scoped");
    const taken = Array.from({ length: 3 }, () => queue.get());
    expect(taken.map((lease) => (lease instanceof Promise ? "" : lease?.item))).toEqual([
      "noisy/1",
      "quiet/1",
      "cluster-scoped",
    ]);
  });

  test("tells tenants apart by a function of one's own", () => {
    const ordering = new FairOrdering<{ readonly team: string; readonly id: number }>({
      tenantOf: ({ team }) => team,
    });
    for (const id of [1, 2]) ordering.push({ team: "red", id });
    ordering.push({ team: "blue", id: 3 });
    expect([ordering.pop()?.id, ordering.pop()?.id, ordering.pop()?.id]).toEqual([1, 3, 2]);
    expect(ordering.pop()).toBeUndefined();
  });
});

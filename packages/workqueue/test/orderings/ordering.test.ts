import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FairOrdering, WorkQueue } from "@listwatch/workqueue";
import { takeNow } from "../support/take-now.ts";

describe("FifoOrdering, the default", () => {
  test("works like a list with push and shift, at any length", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -3000, max: 3000 }), { maxLength: 12 }), (bursts) => {
        const queue = new WorkQueue<number>();
        let pushed = 0;
        let popped = 0;
        for (const burst of bursts) {
          for (let index = 0; index < burst; index += 1) queue.add((pushed += 1));
          for (let index = 0; index > burst; index -= 1) {
            expect(takeNow(queue)).toBe(popped < pushed ? (popped += 1) : undefined);
          }
          expect(queue.length).toBe(pushed - popped);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe("FairOrdering", () => {
  test("serves a quiet tenant next, however many items a noisy one has waiting", () => {
    const queue = new WorkQueue<string>({ ordering: new FairOrdering() });
    for (let index = 0; index < 10_000; index += 1) queue.add(`noisy/${index}`);
    expect(queue.get()).toMatchObject({ item: "noisy/0" });
    queue.add("quiet/1");
    queue.add("cluster-scoped");
    const taken = Array.from({ length: 3 }, () => queue.get());
    expect(taken.map((work) => (work instanceof Promise ? "" : work?.item))).toEqual([
      "noisy/1",
      "quiet/1",
      "cluster-scoped",
    ]);
  });

  test("distinguishes tenants by a function", () => {
    interface Task {
      readonly team: string;
      readonly id: number;
    }
    const queue = new WorkQueue<Task>({
      keyFunc: ({ id }) => id,
      ordering: new FairOrdering({ tenantOf: ({ team }) => team }),
    });
    for (const id of [1, 2]) queue.add({ team: "red", id });
    queue.add({ team: "blue", id: 3 });
    expect([takeNow(queue)?.id, takeNow(queue)?.id, takeNow(queue)?.id]).toEqual([1, 3, 2]);
    expect(takeNow(queue)).toBeUndefined();
  });
});

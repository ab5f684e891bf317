import { describe, expect, test } from "vitest";
import * as fc from "fast-check";
import {
  DeletedFinalStateUnknown,
  DeltaFIFO,
  RealFIFO,
  type Delta,
  type Deltas,
} from "@listwatch/core-fifo";

interface Pod {
  readonly name: string;
  readonly value: number;
}

type Operation =
  | { readonly op: "upsert" | "delete"; readonly name: string; readonly value: number }
  | { readonly op: "replace"; readonly pods: readonly Pod[] }
  | { readonly op: "resync" | "pop" };

const keyFunc = ({ name }: Pod): string => name;

const podArbitrary: fc.Arbitrary<Pod> = fc.record({
  name: fc.constantFrom("a", "b", "c", "d", "e", "f", "g"),
  value: fc.nat({ max: 999 }),
});

const operationArbitrary: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 5, arbitrary: podArbitrary.map((pod) => ({ op: "upsert" as const, ...pod })) },
  { weight: 3, arbitrary: podArbitrary.map((pod) => ({ op: "delete" as const, ...pod })) },
  {
    weight: 1,
    arbitrary: fc
      .uniqueArray(podArbitrary, { maxLength: 6, selector: ({ name }) => name })
      .map((pods) => ({ op: "replace" as const, pods })),
  },
  { weight: 1, arbitrary: fc.constant({ op: "resync" as const }) },
  { weight: 4, arbitrary: fc.constant({ op: "pop" as const }) },
);

class Cache {
  readonly pods = new Map<string, Pod>();

  listKeys(): string[] {
    return [...this.pods.keys()];
  }

  getByKey(key: string): Pod | undefined {
    return this.pods.get(key);
  }

  readonly apply = (deltas: Deltas<Pod>): void => {
    for (const delta of deltas) this.#applyOne(delta);
  };

  #applyOne(delta: Delta<Pod>): void {
    switch (delta.type) {
      case "ReplacedAll":
        this.pods.clear();
        for (const pod of delta.objects) this.pods.set(pod.name, pod);
        break;
      case "Added":
      case "Updated":
      case "Replaced":
      case "Sync":
        this.pods.set(delta.key ?? "", delta.object);
        break;
      case "Deleted":
        this.pods.delete(delta.key ?? "");
        break;
      case "SyncAll":
      case "Bookmark":
        break;
    }
  }
}

type AnyQueue = RealFIFO<Pod> | DeltaFIFO<Pod>;

async function run(queue: AnyQueue, cache: Cache, operations: readonly Operation[]): Promise<void> {
  for (const operation of operations) await perform(queue, cache, operation);
  while (queue.length > 0) await queue.pop(cache.apply);
}

async function perform(queue: AnyQueue, cache: Cache, operation: Operation): Promise<void> {
  switch (operation.op) {
    case "upsert":
      queue.update(operation);
      break;
    case "delete":
      queue.delete(operation);
      break;
    case "replace":
      queue.replace(operation.pods, "1");
      break;
    case "resync":
      queue.resync();
      break;
    case "pop":
      if (queue.length > 0) await queue.pop(cache.apply);
      break;
  }
}

/** The expected final content: the server's state after the operations. */
function finalState(operations: readonly Operation[]): Map<string, number> {
  const state = new Map<string, number>();
  for (const operation of operations) {
    if (operation.op === "upsert") state.set(operation.name, operation.value);
    else if (operation.op === "delete") state.delete(operation.name);
    else if (operation.op === "replace") {
      state.clear();
      for (const { name, value } of operation.pods) state.set(name, value);
    }
  }
  return state;
}

function contentOf(cache: Cache): Map<string, number> {
  return new Map([...cache.pods].map(([name, { value }]) => [name, value]));
}

describe("for any writes and pops", () => {
  const kinds = {
    "an atomic RealFIFO": () => new RealFIFO<Pod>({ keyFunc }),
    "a RealFIFO without atomic events": (cache: Cache) =>
      new RealFIFO<Pod>({ keyFunc, knownObjects: cache }),
    "a DeltaFIFO": (cache: Cache) => new DeltaFIFO<Pod>({ keyFunc, knownObjects: cache }),
  };

  test.each(Object.entries(kinds))(
    "a cache behind %s ends in the server's state (GEN-1)",
    async (_, create) => {
      await fc.assert(
        fc.asyncProperty(fc.array(operationArbitrary, { maxLength: 60 }), async (operations) => {
          const cache = new Cache();
          await run(create(cache), cache, operations);
          expect(contentOf(cache)).toEqual(finalState(operations));
        }),
      );
    },
  );

  test("a RealFIFO delivers each write exactly once and in order (RF-1)", async () => {
    const writes = fc.array(podArbitrary.map((pod) => ({ ...pod, isDelete: pod.value % 3 === 0 })));
    await fc.assert(
      fc.asyncProperty(writes, fc.integer({ min: 1, max: 7 }), async (pods, maxKeys) => {
        const queue = new RealFIFO<Pod>({ keyFunc });
        for (const pod of pods) {
          if (pod.isDelete) queue.delete(pod);
          else queue.add(pod);
        }
        const seen: unknown[] = [];
        const take = (deltas: Deltas<Pod>): void => {
          // No batch contains one object twice (RF-19).
          expect(new Set(deltas.map((delta) => "key" in delta && delta.key)).size).toBe(
            deltas.length,
          );
          expect(deltas.length).toBeLessThanOrEqual(maxKeys);
          for (const delta of deltas) if ("object" in delta) seen.push(delta.object);
        };
        while (queue.length > 0) await queue.popBatch(take, take, { maxKeys });
        expect(seen).toEqual(pods);
      }),
    );
  });

  test("a DeltaFIFO keeps the changes of each object in order, and drops only duplicate deletes (DF-1, DF-2)", async () => {
    const writes = fc.array(podArbitrary.map((pod) => ({ ...pod, isDelete: pod.value % 3 === 0 })));
    await fc.assert(
      fc.asyncProperty(writes, async (pods) => {
        const queue = new DeltaFIFO<Pod>({ keyFunc });
        const expected = new Map<string, string[]>();
        for (const pod of pods) {
          const history = expected.get(pod.name) ?? [];
          if (!pod.isDelete) {
            queue.add(pod);
            expected.set(pod.name, [...history, `Added ${pod.value}`]);
          } else {
            queue.delete(pod);
            // Unknown objects cannot be deleted. Of two consecutive deletes the first remains.
            const isDropped =
              history.length === 0 || history.at(-1)?.startsWith("Deleted") === true;
            if (!isDropped) expected.set(pod.name, [...history, `Deleted ${pod.value}`]);
          }
        }
        const seen = new Map<string, string[]>();
        while (queue.length > 0) {
          const deltas = await queue.pop(() => {});
          seen.set(queue.keyOf(deltas), deltas.map(describeDelta));
        }
        expect(seen).toEqual(expected);
        expect([...seen.keys()]).toEqual([...expected.keys()]);
      }),
    );
  });

  test("a queue has synced exactly when its first list is processed, and stays synced (RF-10, RF-14)", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(podArbitrary, { selector: ({ name }) => name }),
        fc.array(podArbitrary),
        fc.boolean(),
        async (list, updates, atomicEvents) => {
          const cache = new Cache();
          const queue = atomicEvents
            ? new RealFIFO<Pod>({ keyFunc })
            : new RealFIFO<Pod>({ keyFunc, knownObjects: cache });
          queue.replace(list, "1");
          for (const pod of updates) queue.update(pod);
          const initialCount = atomicEvents ? 1 : list.length;
          const flags: boolean[] = [];
          const states: boolean[] = [queue.hasSynced];
          while (queue.length > 0) {
            await queue.pop((_deltas, isInInitialList) => void flags.push(isInInitialList));
            states.push(queue.hasSynced);
          }
          expect(flags).toEqual(flags.map((_, index) => index < initialCount));
          expect(states).toEqual(states.map((_, index) => index >= initialCount));
        },
      ),
    );
  });
});

function describeDelta(delta: Delta<Pod>): string {
  if (!("object" in delta) || delta.object instanceof DeletedFinalStateUnknown) return delta.type;
  return `${delta.type} ${delta.object.value}`;
}

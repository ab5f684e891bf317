import { describe, expect, test } from "vitest";
import { filteringHandler, type ResourceEventHandler } from "../../src/index.ts";

interface Pod {
  readonly metadata: { readonly name: string };
  readonly n: number;
}

function pod(n: number): Pod {
  return { metadata: { name: "a" }, n };
}

function filtered(options: Partial<Parameters<typeof filteringHandler<Pod>>[1]> = {}): {
  readonly handler: ResourceEventHandler<Pod>;
  readonly calls: unknown[];
} {
  const calls: unknown[] = [];
  const inner: ResourceEventHandler<Pod> = {
    onAdd: ({ n }, isInInitialList) => calls.push(["add", n, isInInitialList]),
    onUpdate: (old, { n }) => calls.push(["update", old.n, n]),
    onDelete: ({ key, object, stale }) => calls.push(["delete", key, object?.n, stale]),
  };
  const filter = ({ n }: Pod): boolean => n >= 2;
  return { calls, handler: filteringHandler(inner, { filter, ...options }) };
}

describe("filteringHandler", () => {
  test("presents the selected objects as if they were all (CTL-6)", () => {
    const { calls, handler } = filtered();
    handler.onAdd?.(pod(1), true);
    handler.onAdd?.(pod(2), true);
    handler.onUpdate?.(pod(2), pod(3));
    handler.onUpdate?.(pod(3), pod(1));
    handler.onUpdate?.(pod(1), pod(0));
    handler.onUpdate?.(pod(0), pod(4));
    handler.onDelete?.({ stale: false, key: "a", object: pod(4) });
    handler.onDelete?.({ stale: false, key: "a", object: pod(1) });
    handler.onDelete?.({ stale: true, key: "a", object: pod(5) });
    handler.onDelete?.({ stale: true, key: "b" });
    expect(calls).toEqual([
      ["add", 2, true],
      ["update", 2, 3],
      ["delete", "a", 3, false],
      ["add", 4, false],
      ["delete", "a", 4, false],
      ["delete", "a", 5, true],
      ["delete", "b", undefined, true],
    ]);
  });

  test("handles deletions and keys according to its options", () => {
    const { calls, handler } = filtered({
      filterDeleted: ({ stale }) => !stale,
      keyFunc: ({ n }) => `key ${n}`,
    });
    handler.onDelete?.({ stale: false, key: "a", object: pod(0) });
    handler.onDelete?.({ stale: true, key: "a", object: pod(9) });
    handler.onUpdate?.(pod(2), pod(1));
    expect(calls).toEqual([
      ["delete", "a", 0, false],
      ["delete", "key 2", 2, false],
    ]);
  });

  test("returns the promise of an asynchronous handler, so that it is awaited", async () => {
    const handler = filteringHandler<Pod>({ onAdd: async () => "done" }, { filter: () => true });
    await expect(handler.onAdd?.(pod(1), false)).resolves.toBe("done");
    expect(handler.onUpdate?.(pod(1), pod(2))).toBeUndefined();
  });
});

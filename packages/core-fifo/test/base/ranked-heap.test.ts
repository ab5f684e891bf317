import { describe, expect, test } from "vitest";
import * as fc from "fast-check";
import { RankedHeap, type RankedNode } from "@listwatch/core-fifo/base";

interface Node extends RankedNode {
  rank: number;
  readonly id: number;
}

const inOrder = (nodes: readonly Node[]): Node[] =>
  nodes.toSorted((a, b) => a.rank - b.rank || a.id - b.id);

describe("RankedHeap", () => {
  test("pops the lowest rank, oldest first, also after moves and removals anywhere", () => {
    const operation = fc.oneof(
      { weight: 4, arbitrary: fc.record({ push: fc.integer({ min: 0, max: 20 }) }) },
      { weight: 2, arbitrary: fc.record({ pop: fc.constant(true) }) },
      { weight: 2, arbitrary: fc.record({ lower: fc.nat(50), by: fc.nat(20) }) },
      { weight: 1, arbitrary: fc.record({ remove: fc.nat(50) }) },
    );
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 80 }), (operations) => {
        const heap = new RankedHeap<Node>();
        let model: Node[] = [];
        const popped: (readonly [Node | undefined, Node | undefined])[] = [];
        let id = 0;
        for (const step of operations) {
          if ("push" in step) {
            id += 1;
            const node = { id, place: 0, rank: step.push };
            heap.push(node, node.rank);
            model.push(node);
          } else if ("pop" in step) {
            const [first] = inOrder(model);
            popped.push([heap.pop(), first]);
            model = model.filter((node) => node !== first);
          } else if ("lower" in step) {
            const node = model[step.lower % Math.max(model.length, 1)];
            if (node !== undefined) {
              node.rank -= step.by;
              heap.lower(node, node.rank);
            }
          } else {
            const node = model[step.remove % Math.max(model.length, 1)];
            if (node !== undefined) heap.remove(node);
            model = model.filter((one) => one !== node);
          }
          const [first] = inOrder(model);
          expect(heap.length).toBe(model.length);
          expect(heap.peek()).toBe(first);
          expect(heap.leastRank).toBe(first?.rank ?? Infinity);
          for (const node of model) expect(heap.rankOf(node)).toBe(node.rank);
        }
        for (const [node, first] of popped) expect(node).toBe(first);
        const rest: (Node | undefined)[] = [];
        while (heap.length > 0) rest.push(heap.pop());
        expect(rest).toEqual(inOrder(model));
      }),
    );
  });

  test("takes the order within a rank from the caller", () => {
    const heap = new RankedHeap<Node>();
    const [late, early] = [
      { id: 2, place: 0, rank: 0 },
      { id: 1, place: 0, rank: 0 },
    ];
    heap.push(late, 0, late.id);
    heap.push(early, 0, early.id);
    expect(heap.pop()).toBe(early);
    expect(heap.pop()).toBe(late);
  });

  test("is empty after a clear, and pops undefined", () => {
    const heap = new RankedHeap<Node>();
    heap.push({ id: 1, place: 0, rank: 1 }, 1);
    heap.clear();
    expect(heap.length).toBe(0);
    expect(heap.peek()).toBeUndefined();
    expect(heap.pop()).toBeUndefined();
    expect(heap.leastRank).toBe(Infinity);
  });
});

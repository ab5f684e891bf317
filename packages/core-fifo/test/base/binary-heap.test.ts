import { describe, expect, test } from "vitest";
import * as fc from "fast-check";
import { BinaryHeap } from "@listwatch/core-fifo/base";

interface Node {
  rank: number;
  readonly id: number;
  index: number;
}

const createHeap = (): BinaryHeap<Node> =>
  new BinaryHeap<Node>({
    isBefore: (a, b) => a.rank < b.rank || (a.rank === b.rank && a.id < b.id),
    onMove: (node, index) => (node.index = index),
  });

const inOrder = (nodes: readonly Node[]): Node[] =>
  nodes.toSorted((a, b) => a.rank - b.rank || a.id - b.id);

describe("BinaryHeap", () => {
  test("pops the least element, also after moves and removals anywhere", () => {
    const operation = fc.oneof(
      { weight: 4, arbitrary: fc.record({ push: fc.integer({ min: 0, max: 20 }) }) },
      { weight: 2, arbitrary: fc.record({ pop: fc.constant(true) }) },
      { weight: 2, arbitrary: fc.record({ move: fc.nat(50), rank: fc.integer({ max: 20 }) }) },
      { weight: 1, arbitrary: fc.record({ remove: fc.nat(50) }) },
    );
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 80 }), (operations) => {
        const heap = createHeap();
        let model: Node[] = [];
        const removals: [Node | undefined, Node | undefined][] = [];
        let id = 0;
        for (const step of operations) {
          if ("push" in step) {
            id += 1;
            const node = { id, index: -1, rank: step.push };
            heap.push(node);
            model.push(node);
          } else if ("pop" in step) {
            const [first] = inOrder(model);
            removals.push([heap.pop(), first]);
            model = model.filter((node) => node !== first);
          } else if ("move" in step) {
            const node = model[step.move % Math.max(model.length, 1)];
            if (node !== undefined) {
              node.rank = step.rank;
              heap.update(node.index, node);
            }
          } else {
            const node = model[step.remove % Math.max(model.length, 1)];
            const removed = node === undefined ? undefined : heap.removeAt(node.index);
            removals.push([removed, node]);
            model = model.filter((one) => one !== node);
          }
          for (const [removed, node] of removals.splice(0)) expect(removed).toBe(node);
          expect(heap.length).toBe(model.length);
          expect(heap.peek()).toBe(inOrder(model)[0]);
          expect(new Set(heap)).toEqual(new Set(model));
          for (const [index, node] of [...heap].entries()) expect(node.index).toBe(index);
        }
        const rest: (Node | undefined)[] = [];
        while (heap.length > 0) rest.push(heap.pop());
        expect(rest).toEqual(inOrder(model));
      }),
    );
  });

  test("is empty after a clear, and pops undefined", () => {
    const heap = createHeap();
    heap.push({ id: 1, index: -1, rank: 1 });
    heap.clear();
    expect(heap.length).toBe(0);
    expect(heap.peek()).toBeUndefined();
    expect(heap.pop()).toBeUndefined();
    expect(heap.removeAt(3)).toBeUndefined();
  });
});

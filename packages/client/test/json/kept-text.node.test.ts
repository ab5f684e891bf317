import { jsonDecoder } from "@listwatch/client";
import { describe, expect, test } from "vitest";
import { bytesOf, decodeList } from "../support/bytes.ts";
import { collectGarbage } from "../support/collect-garbage.ts";
import { formDecoder, scanners } from "../support/forms.ts";

// Only Node lets tests collect garbage.
const isNode = !("Deno" in globalThis || "Bun" in globalThis);

interface Pod {
  readonly metadata: { readonly name: string; readonly managedFields: readonly unknown[] };
  readonly spec: { readonly node: string };
}

const textLength = 512 * 1024;
const lists = 40;

function listText(index: number): string {
  const filler = { metadata: { name: "large" }, spec: { text: "x".repeat(textLength / 8) } };
  const managedFields = [{ manager: `manager-${index}`, fieldsV1: { "f:spec": { "f:node": {} } } }];
  const small = {
    metadata: { name: `small-${index}`, managedFields },
    spec: { node: `node-${index}`, note: "long enough to be text until it is read, in any form" },
  };
  const items = [...Array.from({ length: 4 }, () => filler), small, filler, filler, filler];
  return JSON.stringify({ kind: "PodList", apiVersion: "v1", metadata: {}, items });
}

function decodeSmall(text: string, scanner: (typeof scanners)[number]): Pod {
  const decoder = formDecoder({ lazy: true }, scanner).list<Pod>();
  const [, , , , small] = decodeList(decoder, [bytesOf(text)]);
  if (small === undefined) throw new Error("Expected eight objects");
  return small;
}

async function measureHeap(): Promise<number> {
  await collectGarbage();
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return arrayBuffers + heapUsed;
}

describe.runIf(isNode).each(scanners)("the text of a lazy member, found by %s", (scanner) => {
  test("does not keep the text of its list (LAZY-11)", async () => {
    // Warm-up: the first list allocates objects that stay.
    decodeSmall(listText(0), scanner);
    const before = await measureHeap();
    const kept = Array.from({ length: lists }, (_, index) => decodeSmall(listText(index), scanner));
    const grownBy = (await measureHeap()) - before;
    expect(grownBy).toBeLessThan((lists * textLength) / 10);
    for (const [index, { metadata, spec }] of kept.entries()) {
      expect(metadata).toMatchObject({ managedFields: [{ manager: `manager-${index}` }] });
      expect(spec.node).toBe(`node-${index}`);
    }
  });
});

test("the bytes passed to a decoder can be overwritten (LAZY-11)", () => {
  const bytes = bytesOf(listText(1));
  const objects = [jsonDecoder(), formDecoder({ lazy: true }, "WebAssembly")].map(
    (decoder) => decodeList(decoder.list<Pod>(), [bytes.slice()])[4],
  );
  const lazy = decodeList(formDecoder({ lazy: true }, "JavaScript").list<Pod>(), [bytes])[4];
  bytes.fill(0);
  expect(lazy).toEqual(objects[0]);
  expect(objects[1]).toEqual(objects[0]);
});

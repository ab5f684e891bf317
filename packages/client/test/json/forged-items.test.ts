import { jsonDecoder, type Decoder } from "@listwatch/client";
import { describe, expect, test } from "vitest";
import { bytesOf, decodeList } from "../support/bytes.ts";
import { formDecoder, scanners } from "../support/forms.ts";

// The author of one object must not be able to forge another one in the caches of readers. The text
// between two items can also occur inside an item: an array of templates in a custom resource.

const kinds: readonly (readonly [string, Decoder])[] = [
  ["as it is", jsonDecoder()],
  ["stripped", jsonDecoder({ stripManagedFields: true })],
  ...scanners.flatMap((scanner) => [
    [`lazily by ${scanner}`, formDecoder({ lazy: true }, scanner)] as const,
    [`lazily and stripped by ${scanner}`, formDecoder({ lazy: true }, scanner, true)] as const,
    [`to a field by ${scanner}`, formDecoder({ fields: ["spec"] }, scanner)] as const,
  ]),
];

interface Item {
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

const plain = (name: string): string =>
  `{"metadata":{"name":"${name}","namespace":"default","uid":"u-${name}"},"spec":{"a":1}}`;

const template = (name: string): string =>
  `{"metadata":{"name":"${name}","namespace":"kube-system","uid":"u"},"spec":{"a":2}}`;

/** Items that contain the text between two items. */
const forgers: Readonly<Record<string, string>> = {
  "an array of objects": `{"metadata":{"name":"x","uid":"u"},"spec":{"t":[${template("p")},${template("q")},${template("r")}]}}`,
  "objects before its metadata": `{"a":[${template("p")},${template("q")}],"metadata":{"name":"x"},"spec":[${template("r")},${template("s")}]}`,
  "text with brackets and quotes": `{"metadata":{"name":"x","annotations":{"a":${JSON.stringify(`},${template("p")},{"`)}}},"spec":{}}`,
  "managedFields with brackets in names": `{"metadata":{"name":"x","managedFields":[{"fieldsV1":{"f:x}],":{},"f:}]":{},"f:},{\\"metadata\\":{\\"name\\":\\"p\\"}}]}":{}}}],"uid":"u"},"spec":{"t":[${template("p")},${template("q")}]}}`,
  "managedFields with objects": `{"metadata":{"name":"x","managedFields":[${template("p")},${template("q")}]},"spec":{"managedFields":[${template("r")}]}}`,
};

describe.each(kinds)("a list decoded %s", (_, decoder) => {
  test.each(Object.entries(forgers))(
    "does not take %s within an item for an item (LAZY-6)",
    (what, forger) => {
      // Before and after plain items, so that either teaches the decoder its marker.
      const orders = [
        [plain("a"), forger, plain("b")],
        [forger, plain("a"), plain("b"), forger, forger, plain("c")],
        [plain("a"), plain("b"), plain("c"), plain("d"), forger, forger],
      ];
      for (const items of orders) {
        const head = '{"kind":"XList","apiVersion":"v1","metadata":{}';
        const text = `${head},"items":[${items.join(",")}]}`;
        const bytes = bytesOf(text);
        const names = items.map((item) =>
          item === forger ? "x" : /"name":"(\w)"/.exec(item)?.[1],
        );
        for (const size of [1, 7, 64, 100, bytes.length]) {
          const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (__, index) =>
            bytes.subarray(index * size, (index + 1) * size),
          );
          const found = decodeList(decoder.list<Item>(), pieces);
          const got = found.map(({ metadata }) => metadata.name);
          expect({ what, got }).toEqual({ what, got: names });
          expect(found.some(({ metadata }) => metadata.namespace === "kube-system")).toBe(false);
        }
      }
    },
  );
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { gunzipSync } from "node:zlib";
import { isRecord } from "@listwatch/core-fifo/base";
import { expect, test } from "vitest";
import { envelope, readSamples } from "../../packages/client/test/protobuf/samples.ts";
import { loadProtobuf } from "../../packages/fake-apiserver/src/protobuf/protobuf.ts";
import { loadSchemaTable } from "../../packages/fake-apiserver/src/schema/schema-table.ts";

// Made by `npm run gen -- go-modules`: random objects, as Go encodes them and as Go prints them.
const folder = join(import.meta.dirname, "../../packages/client/test/protobuf");
const samples = [...readSamples(gunzipSync(readFileSync(join(folder, "samples.bin.gz"))))];

/** Without what is null, which is as good as absent in an object that is written. */
function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNull);
  if (!isRecord(value)) return value;
  const known = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(known.map(([name, member]) => [name, withoutNull(member)]));
}

test("objects that Go has encoded are read as Go prints them (PB-5, PB-6)", async () => {
  const [codec, table] = [await loadProtobuf(), await loadSchemaTable()];
  const differing: string[] = [];
  const kinds = new Set<string>();
  for (const sample of samples) {
    const slash = sample.kind.lastIndexOf("/");
    const type = { apiVersion: sample.kind.slice(0, slash), kind: sample.kind.slice(slash + 1) };
    if (table.typeOf(type.apiVersion, type.kind) === undefined) continue;
    kinds.add(sample.kind);
    const read = codec.decode(envelope(sample.kind, sample.message), type);
    const printed: unknown = { ...type, ...(JSON.parse(sample.json) as object) };
    if (!isDeepStrictEqual(withoutNull(read), withoutNull(printed))) differing.push(sample.json);
  }
  expect(differing).toEqual([]);
  expect(kinds.size).toBeGreaterThan(65);
});

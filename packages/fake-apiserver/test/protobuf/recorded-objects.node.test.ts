import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { loadProtobuf } from "../../src/protobuf/protobuf.ts";
import { loadSchemaTable } from "../../src/schema/schema-table.ts";
import { decodeTyped } from "../../src/schema/typed-object.ts";
import type { Json } from "../support/api-client.ts";

const recording = new URL(
  "../../../../conformance/fidelity/recordings/defaults.json",
  import.meta.url,
);

/** Replaces the matchers in a recorded value by values. */
function concrete(key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if ("$time" in value) return "2026-01-02T03:04:05Z";
  if ("$any" in value && /port$/i.test(key)) return 30_080;
  const isMatcher = Object.keys(value).some((name) => name.startsWith("$"));
  return isMatcher ? "10.0.0.1" : value;
}

test("all recorded objects with defaults survive a round trip (PB-5, PB-6)", async () => {
  const codec = await loadProtobuf();
  const table = await loadSchemaTable();
  const { observations } = JSON.parse(readFileSync(recording, "utf8"), concrete) as Json;
  expect(observations).toHaveLength(142);
  for (const { output } of observations) {
    const type = table.typeOf(output.apiVersion, output.kind);
    if (type === undefined) throw new Error(`Expected a type of ${output.kind}`);
    const decoded = codec.decode(codec.encode(output), { apiVersion: "", kind: "" });
    const object: Json = decodeTyped(decoded, type, "json").object;
    // Messages of claims have no type: the defaults of their parent add it.
    for (const claim of output.spec?.volumeClaimTemplates ?? []) {
      expect([claim.apiVersion, claim.kind]).toEqual(["v1", "PersistentVolumeClaim"]);
      delete claim.apiVersion;
      delete claim.kind;
    }
    expect(object).toEqual(output);
  }
});

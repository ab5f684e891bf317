import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { builtinResources } from "../../src/kinds/builtin-kinds.ts";
import type { ResourceDefinition, ServedVersion } from "../../src/api/resource-definition.ts";
import { parseFieldSelector } from "../../src/selectors/field-selector.ts";
import { assertSupportedFields, fieldReader } from "../../src/selectors/fields.ts";
import { hashShardKey, parseShardSelector } from "../../src/selectors/shard-selector.ts";

function readerOf(plural: string): ReturnType<typeof fieldReader> {
  const { definition, version } = resource(plural);
  return fieldReader(definition, version);
}

function resource(plural: string): { definition: ResourceDefinition; version: ServedVersion } {
  const definition = builtinResources().find((one) => one.plural === plural);
  const version = definition?.versions[0];
  if (definition === undefined || version === undefined) throw new Error(`No resource ${plural}`);
  return { definition, version };
}

describe("parseFieldSelector (API-1.9)", () => {
  const get = (field: string): string => ({ "metadata.name": "a", "x.y": "b,c" })[field] ?? "";

  test.each([
    ["", true],
    [",,", true],
    ["metadata.name=a", true],
    ["metadata.name==a", true],
    ["metadata.name!=a", false],
    ["metadata.name=", false],
    ["missing=", true],
    ["x.y=b\\,c", true],
    ["metadata.name=a,x.y!=z", true],
    ["metadata.name=a,x.y=z", false],
    ["=", true],
  ])("evaluates %j to %s", (selector, expected) => {
    expect(parseFieldSelector(selector).matches(get)).toBe(expected);
  });

  test.each([
    ["nonsense", "invalid selector: 'nonsense'; can't understand 'nonsense'"],
    ["a=b,c", "invalid selector: 'a=b,c'; can't understand 'c'"],
    ["a=b\\c", "invalid field selector: invalid escape sequence: \\c"],
    ["a=b\\", "invalid field selector: invalid escape sequence: \\"],
    ["a=b=c", "invalid field selector: unescaped character in value: 61"],
  ])("rejects %j with the server's message", (selector, message) => {
    expect(() => parseFieldSelector(selector)).toThrow(message);
  });

  test("unescapes any escaped value", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (value) => {
        const escaped = value.replaceAll(/[\\,=]/g, (character) => `\\${character}`);
        expect(parseFieldSelector(`f=${escaped}`).requirements).toEqual([
          { field: "f", operator: "=", value },
        ]);
      }),
    );
  });
});

describe("selectable fields", () => {
  test("rejects unknown fields with the message of the kind", () => {
    const selector = parseFieldSelector("spec.bogus=x");
    const pods = resource("pods");
    expect(() => assertSupportedFields(selector, pods.definition, pods.version)).toThrow(
      "field label not supported: spec.bogus",
    );
    const configMaps = resource("configmaps");
    expect(() =>
      assertSupportedFields(selector, configMaps.definition, configMaps.version),
    ).toThrow(
      '"spec.bogus" is not a known field selector: only "metadata.name", "metadata.namespace"',
    );
  });

  test("accepts the fields of pods and their aliases", () => {
    const { definition, version } = resource("pods");
    const selector = parseFieldSelector("spec.host=n1,status.phase=Running,metadata.namespace=x");
    expect(() => assertSupportedFields(selector, definition, version)).not.toThrow();
  });

  test("reads zero values for missing fields", () => {
    const pod = {
      metadata: { name: "p", namespace: "default" },
      spec: { nodeName: "n1" },
      status: { phase: "Running", podIPs: [{ ip: "10.0.0.1" }, { ip: "fd00::1" }] },
    };
    const read = readerOf("pods");
    expect(read(pod, "spec.host")).toBe("n1");
    expect(read(pod, "status.podIPs")).toBe("");
    expect(read(pod, "spec.hostNetwork")).toBe("false");
    expect(read(pod, "spec.schedulerName")).toBe("");
    expect(readerOf("nodes")(pod, "spec.unschedulable")).toBe("false");
  });

  test("finds the source of an event under both of its names", () => {
    const read = readerOf("events");
    expect(read({ metadata: {}, source: { component: "kubelet" } }, "source")).toBe("kubelet");
    expect(read({ metadata: {}, reportingComponent: "scheduler" }, "source")).toBe("scheduler");
  });
});

describe("parseShardSelector (KEP-5866)", () => {
  test("hashes with FNV-1a, 64 bit (SHD-2)", () => {
    // Test vectors of the authors of FNV.
    expect(hashShardKey("")).toBe(0xcbf29ce484222325n);
    expect(hashShardKey("a")).toBe(0xaf63dc4c8601ec8cn);
    expect(hashShardKey("foobar")).toBe(0x85944171f73967e8n);
    expect(hashShardKey("Zürich")).toBe(0xef841596f67fdc0n);
  });

  test("puts each object in exactly one of two halves (SHD-1)", () => {
    const low = parseShardSelector(
      "shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000')",
    );
    const high = parseShardSelector(
      "shardRange(object.metadata.uid, '0x8000000000000000', '0x10000000000000000')",
    );
    fc.assert(
      fc.property(fc.uuid(), (uid) => {
        expect(low.matches({ uid })).not.toBe(high.matches({ uid }));
      }),
    );
  });

  test("joins ranges with ||", () => {
    const every = parseShardSelector(
      "shardRange(object.metadata.uid,'0x0000000000000000','0x8000000000000000')||shardRange(object.metadata.uid,'0x8000000000000000','0x10000000000000000')",
    );
    expect(every.matches({ uid: "x" })).toBe(true);
  });

  test("compares hashes as strings, and keeps its own spelling (SHD-2, SHD-4)", () => {
    const hashes = fc.bigInt({ min: 0n, max: 2n ** 64n - 2n });
    const hex = (hash: bigint): string => hash.toString(16).padStart(16, "0");
    fc.assert(
      fc.property(fc.uuid(), hashes, (uid, start) => {
        const text = `shardRange(object.metadata.uid, '0x${hex(start)}', '0xffffffffffffffff')`;
        const hash = hex(hashShardKey(uid));
        const selector = parseShardSelector(text);
        expect(selector.matches({ uid })).toBe(hash >= hex(start) && hash < "f".repeat(16));
        expect(selector.text).toBe(text);
      }),
    );
  });

  test("uses the namespace if the ranges name it (SHD-1)", () => {
    // FNV-1a of "a" is 0xaf63dc4c8601ec8c.
    const selector = parseShardSelector(
      "shardRange(object.metadata.namespace, '0xaf63dc4c8601ec8c', '0xaf63dc4c8601ec8d')",
    );
    expect(selector.matches({ namespace: "a", uid: "foobar" })).toBe(true);
    expect(selector.matches({ namespace: "foobar", uid: "a" })).toBe(false);
    expect(selector.matches({ uid: "a" })).toBe(false);
  });

  test.each([
    ["", "empty shard selector is not allowed"],
    ["nonsense", "expected shardRange() call or || operator"],
    ["other(a)", 'unsupported function "other"; only shardRange() and || are allowed'],
    ["shardRange()", "shardRange() requires exactly 3 arguments, got 0"],
    ["shardRange(object.spec, 'a', 'b')", 'unsupported field path "object.spec"'],
    ["shardRange(object.metadata.uid, 5, 6)", "hexStart must be a string literal"],
    ["shardRange(object.metadata.uid, '5', '6')", "hexStart must have '0x' prefix, got \"5\""],
    ["shardRange(object.metadata.uid, '0x', '6')", "hexStart: hex value is required after '0x'"],
    ["shardRange(object.metadata.uid, '0xg', '6')", 'hexStart: invalid hex character "g" in "0xg"'],
    ["shardRange(object.metadata.uid, '0x5', '6')", '(did you mean "0x0000000000000005"?)'],
    [
      "shardRange(object.metadata.uid, '0x20000000000000000', '6')",
      "17-digit hex value must be '0x10000000000000000' (2^64)",
    ],
    [
      "shardRange(object.metadata.uid, '0x123456789012345678', '6')",
      "hex value too long (18 chars",
    ],
    [
      "shardRange(object.metadata.uid, '0x0000000000000005', '0x0000000000000005')",
      "shard range start 0x0000000000000005 must be less than end 0x0000000000000005",
    ],
    [
      "shardRange(object.metadata.uid, '0x0000000000000000', '0x8000000000000000') || shardRange(object.metadata.namespace, '0x0000000000000000', '0x8000000000000000')",
      "all shard ranges must use the same field",
    ],
  ])("rejects %j (SHD-4)", (text, message) => {
    expect(() => parseShardSelector(text)).toThrow(`invalid shard selector: `);
    expect(() => parseShardSelector(text)).toThrow(message);
  });
});

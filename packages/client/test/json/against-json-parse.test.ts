import { jsonDecoder, type Decoder } from "@listwatch/client";
import type { Random } from "@listwatch/core-fifo";
import { isRecord, seededRandom } from "@listwatch/core-fifo/base";
import { describe, expect, test } from "vitest";
import { FieldTree } from "../../src/json/field-tree.ts";
import { bytesOf, cut, decodeList, decodeWatch } from "../support/bytes.ts";
import { formDecoder, scanners, type Scanner } from "../support/forms.ts";
import { corrupt, pick, randomValue, spell } from "../support/json-text.ts";

// Compares the decoders with JSON.parse: both return the same, or both reject the string. Each seed
// makes one string.

const runs = { spellings: 150, corruptions: 600 };

const refused = Symbol("refused");

/** Replaced by a managedFields value after the corruption, so that the value stays valid. */
const placeholder = '"@managed@"';

const pieces = (bytes: Uint8Array, random: Random): Uint8Array[] =>
  cut(
    bytes,
    Array.from({ length: Math.floor(random() * 6) }, () => random()),
  );

function attempt<R>(action: () => R): R | typeof refused {
  try {
    return action();
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) throw error;
    return refused;
  }
}

function strippedOf(object: unknown): unknown {
  if (isRecord(object) && isRecord(object["metadata"])) delete object["metadata"]["managedFields"];
  return object;
}

function randomObject(random: Random): Record<string, unknown> {
  const metadata: Record<string, unknown> = {};
  if (random() < 0.3) metadata["annotations"] = randomValue(random);
  if (random() < 0.3) metadata["managedFields"] = "@managed@";
  metadata["name"] = pick(["a", "b", "ä"], random);
  if (random() < 0.5) metadata["uid"] = "u";
  if (random() < 0.5) metadata["resourceVersion"] = "7";
  if (random() < 0.5) metadata["managedFields"] = "@managed@";
  const members: (readonly [string, unknown])[] = [
    ["metadata", metadata],
    ["spec", { template: { metadata, list: [{ metadata }, { metadata }] } }],
    ["kind", "Pod"],
    ["data", randomValue(random)],
  ];
  const first = pick(["metadata", "metadata", "spec", "kind", "data"], random);
  const order = members.toSorted(([a], [b]) => Number(b === first) - Number(a === first));
  return Object.fromEntries(order.filter(([key]) => key === "metadata" || random() < 0.5));
}

const managedFields = (random: Random): string =>
  pick(
    [
      JSON.stringify([{ manager: "x", fieldsV1: { "f:spec": {} } }, { manager: "y" }]),
      JSON.stringify([{ a: { b: [{}], c: 1 } }, { metadata: { name: "z" } }]),
      JSON.stringify([{ 'k:{"]}"}': "}],", b: '["' }]),
      "[]",
      "null",
      '[ { "a" : [ ] } ]',
    ],
    random,
  );

const fill = (text: string, random: Random): string =>
  text.replaceAll(placeholder, () => managedFields(random));

function listText(random: Random): string {
  const items = Array.from({ length: Math.floor(random() * 6) }, () =>
    random() < 0.1 ? {} : randomObject(random),
  );
  const metadata = { resourceVersion: "42" };
  const members: (readonly [string, unknown])[] = [
    ["kind", "PodList"],
    ["apiVersion", "v1"],
    ["metadata", metadata],
    ["more", randomValue(random)],
    ["items", items],
  ];
  return spell(
    Object.fromEntries(members.toSorted(() => random() - 0.5)),
    random,
    pick([0, 0, 0.01, 0.1], random),
  );
}

function expectedList(text: string, strip: boolean): unknown {
  const list: unknown = JSON.parse(text);
  if (!isRecord(list)) return refused;
  const { kind, apiVersion, metadata = null, items = null } = list;
  const types = [kind, apiVersion].every((one) => typeof (one ?? "") === "string");
  if (!types || (metadata !== null && !isRecord(metadata))) return refused;
  if (items === null) {
    if (Object.hasOwn(list, "items") || String(kind).endsWith("List")) return [];
    return refused;
  }
  if (!Array.isArray(items) || !items.every((item) => isRecord(item))) return refused;
  const version = isRecord(metadata) ? (metadata["resourceVersion"] ?? "") : "";
  if (typeof version !== "string") return refused;
  const itemKind = typeof kind === "string" && kind.endsWith("List") ? kind.slice(0, -4) : "";
  const type =
    itemKind === "" || typeof apiVersion !== "string" ? {} : { kind: itemKind, apiVersion };
  return items.map((item) => {
    const typed = Object.assign({}, type, item);
    return strip ? strippedOf(typed) : typed;
  });
}

/** Repeated members of a list are valid JSON, but the first may have been used already. */
const isRepeated = (text: string): boolean => {
  const counts = ["items", "kind", "apiVersion", "metadata"].map(
    (key) => text.split(`"${key}"`).length,
  );
  return counts.some((count) => count > 2);
};

interface Variant {
  readonly name: string;
  readonly create: () => Decoder;
  readonly strip: boolean;
  readonly reuse?: boolean;
  /** The kept fields. Skipped text may be invalid JSON. */
  readonly fields?: FieldTree;
}

const paths = ["data", "spec.template.metadata", "metadata.annotations"];

const reducedVariants = (scanner: Scanner): Variant[] => [
  ...[false, true].map((strip) => ({
    name: `lazily${strip ? ", with managedFields stripped," : ""} by ${scanner} (LAZY-1, LAZY-8)`,
    create: () => formDecoder({ lazy: true }, scanner, strip),
    strip,
  })),
  ...[[], paths, ["metadata", "spec.template.list", "kind"]].map((fields) => ({
    name: `to the fields ${fields.join(" ")} by ${scanner} (PROJ-6, PROJ-7)`,
    create: () => formDecoder({ fields }, scanner),
    strip: false,
    fields: new FieldTree(fields),
  })),
];

const variants: readonly Variant[] = [
  { name: "as it is", create: () => jsonDecoder(), strip: false },
  {
    name: "with managedFields stripped",
    create: () => jsonDecoder({ stripManagedFields: true }),
    strip: true,
  },
  ...scanners.flatMap(reducedVariants),
];

const listVariants: readonly Variant[] = [
  ...variants,
  ...variants.map((variant) => ({
    ...variant,
    name: `${variant.name} while objects are held`,
    reuse: true,
  })),
];

/** Returns the value at the beginning of a string and its length there, if it is complete. */
function firstValue(text: string): { value: unknown; length: number } | undefined {
  if (!/^[ \t\r\n]*[{[]/.test(text)) return undefined;
  for (const { index } of text.matchAll(/[\]}]/g)) {
    const value = attempt(() => JSON.parse(text.slice(0, index + 1)) as unknown);
    if (value !== refused) return { value, length: index + 1 };
  }
  return undefined;
}

/** Reads all lazy members. Invalid JSON throws. */
function readAll<V>(value: V): V {
  JSON.stringify(value);
  return value;
}

describe.each(listVariants)("a list decoded $name", ({ create, strip, reuse, fields }) => {
  const decode = (text: string, random: Random): unknown =>
    attempt(() => {
      const list = create().list<object>(reuse === true ? { reuse: () => undefined } : {});
      return readAll(decodeList(list, pieces(bytesOf(text), random)));
    });

  const expectedItems = (text: string): unknown => {
    const items = expectedList(text, strip);
    return Array.isArray(items) && fields !== undefined
      ? items.map((item: object) => fields.pick(item))
      : items;
  };

  test("equals the result of JSON.parse, however it is spelled and cut", () => {
    for (let seed = 0; seed < runs.spellings; seed++) {
      const random = seededRandom(seed);
      const text = fill(listText(random), random);
      expect(decode(text, random), `seed ${seed}: ${text}`).toEqual(expectedItems(text));
    }
  });

  test("is rejected exactly when JSON.parse rejects it, after any corruption", () => {
    let refusals = 0;
    for (let seed = 0; seed < runs.corruptions; seed++) {
      const random = seededRandom(seed);
      const broken = corrupt(listText(random), random);
      const text = fill(broken, random);
      const expected = attempt(() => expectedItems(text));
      const decoded = decode(text, random);
      if (expected === refused) refusals += 1;
      if (expected === refused && fields !== undefined) continue;
      const mayRefuse = decoded === refused && isRepeated(text);
      expect(decoded, `seed ${seed}: ${text}`).toEqual(mayRefuse ? refused : expected);
    }
    expect(refusals).toBeGreaterThan(runs.corruptions / 4);
  });
});

describe.each(variants)("a watch decoded $name", ({ create, strip, fields }) => {
  const decode = (text: string, random: Random): unknown =>
    attempt(() => readAll(decodeWatch(create().watch(), pieces(bytesOf(text), random))));

  /** The events, and whether the text ends within a value or is not JSON there. */
  const expectedEvents = (text: string): { events: unknown[]; isWhole: boolean } => {
    const events: unknown[] = [];
    let rest = text;
    while (!/^[ \t\r\n]*$/.test(rest)) {
      const first = firstValue(rest);
      if (first === undefined) return { events, isWhole: false };
      rest = rest.slice(first.length);
      const event = first.value;
      const isEvent =
        isRecord(event) && typeof event["type"] === "string" && isRecord(event["object"]);
      if (!isEvent) throw new Error("no event");
      const object = strip ? strippedOf(event["object"]) : event["object"];
      const kept = fields === undefined ? object : fields.pick(Object(object));
      events.push(Object.assign(event, { object: kept }));
    }
    return { events, isWhole: true };
  };

  const eventsText = (random: Random): string =>
    Array.from({ length: Math.floor(random() * 4) }, () => {
      const event = { type: pick(["ADDED", "DELETED"], random), object: randomObject(random) };
      return `${spell(event, random, pick([0, 0.1], random)).replaceAll(/[\r\n]/g, " ")}\n`;
    }).join("");

  test("equals the result of JSON.parse for its lines, however they are spelled and cut", () => {
    for (let seed = 0; seed < runs.spellings; seed++) {
      const random = seededRandom(seed);
      const text = fill(eventsText(random), random);
      expect(decode(text, random), `seed ${seed}: ${text}`).toEqual(expectedEvents(text).events);
    }
  });

  test("equals it wherever line breaks are, or without any", () => {
    for (let seed = 0; seed < runs.spellings; seed++) {
      const random = seededRandom(seed);
      const text = fill(eventsText(random), random);
      const between = pick(["", "\n", " \n\n", " "], random);
      const within = pick(["", "\n"], random);
      const moved = text.replaceAll("\n", between).replaceAll('"object":', `"object":${within}`);
      const { events, isWhole } = expectedEvents(moved);
      expect(isWhole).toBe(true);
      expect(decode(moved, random), `seed ${seed}: ${moved}`).toEqual(events);
    }
  });

  test("is rejected exactly when JSON.parse rejects a value, after any corruption", () => {
    let refusals = 0;
    for (let seed = 0; seed < runs.corruptions; seed++) {
      const random = seededRandom(seed);
      const text = fill(corrupt(eventsText(random), random), random);
      const expected = attempt(() => expectedEvents(text));
      const decoded = decode(text, random);
      if (decoded === refused) refusals++;
      const isWhole = expected !== refused && expected.isWhole;
      if (!isWhole && fields !== undefined) continue;
      // A cut end is dropped.
      const complete = expected === refused ? refused : expected.events;
      const allowed = isWhole ? [complete] : [complete, refused];
      expect(allowed, `seed ${seed}: ${text}`).toContainEqual(decoded);
    }
    expect(refusals).toBeGreaterThan(runs.corruptions / 20);
  });
});

import * as fc from "fast-check";
import { isRecord } from "@listwatch/core-fifo/base";
import { ObjectLimit } from "../../../packages/client/src/json/object-limit.ts";
import { createFormDecoder } from "../../../packages/client/src/json/form-decoder.ts";
import { fuzzTarget, type AnyTarget } from "../target.ts";

/** A member of an object. */
interface Member {
  readonly name: string;
  /** Length of its value; long ones are lazy. */
  readonly length: number;
}

/** Objects of one collection, which share what their decoder keeps about names. */
interface Input {
  readonly objects: readonly (readonly Member[])[];
  /** Names of members to keep of projected objects. */
  readonly fields: readonly string[];
  /** Whether members are read from the last one to the first one. */
  readonly backwards: boolean;
}

const name = fc.oneof(
  fc.constantFrom("spec", "status", "data", "kind", "apiVersion", "metadata", "managedFields"),
  fc.constantFrom(
    "constructor",
    "__proto__",
    "toString",
    "toJSON",
    "then",
    "length",
    "valueOf",
    "",
  ),
  // Such names and the numbers of places could be mistaken for each other.
  { weight: 3, arbitrary: fc.stringMatching(/^[12]?[a-e]$/) },
  fc.stringMatching(/^[0-9:x.-]{1,3}$/),
  fc.string({ unit: "binary", maxLength: 3 }),
);

const inputs: fc.Arbitrary<Input> = fc.record({
  objects: fc.array(
    fc.uniqueArray(fc.record({ name, length: fc.constantFrom(0, 60, 100, 100, 100, 200) }), {
      selector: (member) => member.name,
      maxLength: 24,
      // Places of two digits.
      size: "+1",
    }),
    { minLength: 1, maxLength: 8 },
  ),
  fields: fc.array(
    name.filter((one) => one !== "" && one !== "__proto__"),
    { maxLength: 3 },
  ),
  backwards: fc.boolean(),
});

const metadata = '"metadata":{"name":"a","uid":"u","resourceVersion":"1"}';

function textOf(members: readonly Member[], seed: number): string {
  const others = members.filter((member) => member.name !== "metadata");
  const texts = others.map((member, place) => {
    const value = { place, seed, text: "x".repeat(member.length) };
    return `${JSON.stringify(member.name)}:${JSON.stringify(value)}`;
  });
  // Metadata may be anywhere.
  return `{${texts.toSpliced(seed % (texts.length + 1), 0, metadata).join(",")}}`;
}

async function check({ objects, fields, backwards }: Input): Promise<void> {
  const texts = objects.map((members, index) => textOf(members, index));
  for (const form of [{ lazy: true }, { fields: fields.map((field) => [field]) }]) {
    const limit = new ObjectLimit(undefined);
    const decoder = createFormDecoder(form, { stripManagedFields: false, limit });
    const events: { type: string; object: unknown }[] = [];
    const lines = texts.map((text) => `{"type":"ADDED","object":${text}}\n`).join("");
    const watch = decoder.watch<unknown>();
    watch.write(new TextEncoder().encode(lines), events as never[]);
    for (const [index, text] of texts.entries()) {
      const parsed: unknown = JSON.parse(text);
      const expected = "lazy" in form ? parsed : pick(parsed, fields);
      checkMembers(events[index]?.object, expected, backwards);
    }
  }
}

/** The members that a projection keeps, in addition to the type and the identity. */
function pick(parsed: unknown, fields: readonly string[]): unknown {
  const kept = new Set([...fields, "metadata", "kind", "apiVersion"]);
  const entries = Object.entries(Object(parsed)).filter(([member]) => kept.has(member));
  return Object.fromEntries(entries);
}

/** Reads each member directly, through an heir and from a copy. */
function checkMembers(object: unknown, expected: unknown, backwards: boolean): void {
  if (!isRecord(object) || !isRecord(expected)) throw new Error("expected an object");
  const names = Object.keys(expected).toSorted();
  if (Object.keys(object).toSorted().join() !== names.join()) {
    throw new Error(`expected ${names.join()}, got ${Object.keys(object).join()}`);
  }
  if (backwards) names.reverse();
  const heir: object = Object.create(object);
  for (const member of names) {
    const values = [object[member], Reflect.get(heir, member), Reflect.get(object, member, heir)];
    for (const value of [...values, { ...object }[member]]) {
      const wanted = JSON.stringify(expected[member]);
      if (JSON.stringify(value) !== wanted) {
        throw new Error(`${member}: expected ${wanted}, got ${JSON.stringify(value)}`);
      }
    }
  }
}

export const memberNames: AnyTarget = fuzzTarget({ name: "member-names", inputs, check });

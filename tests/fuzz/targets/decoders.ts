import * as fc from "fast-check";
import { jsonDecoder, type Decoder } from "@listwatch/client";
import { isRecord } from "@listwatch/core-fifo/base";
import { ObjectLimit } from "../../../packages/client/src/json/object-limit.ts";
import { createFormDecoder } from "../../../packages/client/src/json/form-decoder.ts";
import { createStructure } from "../../../packages/client/src/structure/text-structure.ts";
import { scriptStructure } from "../../../packages/client/test/support/script-structure.ts";
import { anyJson, anyText } from "../anything.ts";
import { checkSame, fuzzTarget, type AnyTarget } from "../target.ts";

/** Text, the chunks in which it arrives, and the form of its objects. */
interface Input {
  readonly text: string;
  /** Positions of the cuts, in thousandths. */
  readonly cuts: readonly number[];
  readonly stripManagedFields: boolean;
  /** Whether objects are lazy. @default false */
  readonly lazy?: boolean;
  /** Whether the JavaScript scanner reads them. @default false */
  readonly inScript?: boolean;
}

const metadata = fc.record(
  {
    name: anyText,
    namespace: anyText,
    uid: anyText,
    resourceVersion: fc.nat(99).map(String),
    managedFields: fc.array(fc.record({ manager: anyText, fieldsV1: anyJson }), { maxLength: 2 }),
    labels: fc.dictionary(anyText, anyText, { maxKeys: 2 }),
  },
  { requiredKeys: [] },
);

const object = fc
  .tuple(metadata, fc.dictionary(fc.constantFrom("spec", "data", "metadata2", "x"), anyJson))
  .map(([meta, rest]) => Object.assign({ metadata: meta }, rest));

const list = fc
  .tuple(
    fc.record(
      {
        kind: fc.constantFrom("PodList", "Pod", "Table"),
        apiVersion: fc.constant("v1"),
        metadata: fc.record({ resourceVersion: anyText, continue: anyText }, { requiredKeys: [] }),
        items: fc.oneof(
          { weight: 8, arbitrary: fc.array(object, { maxLength: 5 }) },
          { weight: 1, arbitrary: anyJson },
        ),
        other: anyJson,
      },
      { requiredKeys: [] },
    ),
    fc.array(fc.nat(9), { minLength: 5, maxLength: 5 }),
  )
  .map(([members, order]) =>
    Object.fromEntries(
      Object.entries(members).toSorted(([a], [b]) => placeOf(a, order) - placeOf(b, order)),
    ),
  );

function placeOf(name: string, order: readonly number[]): number {
  return order[name.length % order.length] ?? 0;
}

/** Another spelling of the same JSON: white space, and unnecessary escapes. */
const writer = fc.record({ indent: fc.constantFrom(0, 0, 1), escape: fc.constantFrom(0, 0, 3, 7) });

function write(value: unknown, { indent, escape }: { indent: number; escape: number }): string {
  const text = JSON.stringify(value, undefined, indent) ?? "null";
  if (escape === 0) return text;
  let count = 0;
  return text.replaceAll(/(?<!\\)[a-z]/g, (letter, at: number) => {
    // Letters outside of strings belong to true, false and null.
    const isInText = (text.slice(0, at).match(/(?<!\\)(?:\\\\)*"/g)?.length ?? 0) % 2 === 1;
    if (!isInText || ++count % escape !== 0 || text[at - 1] === "\\") return letter;
    // Inside \u00e9 no letter may change.
    if (/\\u[\da-f]{0,3}$/i.test(text.slice(Math.max(0, at - 6), at))) return letter;
    return `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** Mistakes of a writer, or none. */
const mistake = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  {
    weight: 2,
    arbitrary: fc.record({
      at: fc.nat(1000),
      remove: fc.nat(2),
      insert: fc.constantFrom("", ",", "]", "}", "{", '"', "\\", "\n", "\u0001", "1", "é", ":"),
    }),
  },
);

const flags = fc.record({
  stripManagedFields: fc.boolean(),
  lazy: fc.boolean(),
  inScript: fc.boolean(),
});

const inputs = (value: fc.Arbitrary<unknown>, end = ""): fc.Arbitrary<Input> =>
  fc
    .tuple(value, writer, mistake, fc.array(fc.nat(1000), { maxLength: 4 }), flags)
    .map(([document, how, wrong, cuts, flagsOfInput]) => {
      const right = write(document, how) + end;
      const at = Math.floor(((wrong?.at ?? 0) / 1000) * right.length);
      const text =
        wrong === undefined
          ? right
          : right.slice(0, at) + wrong.insert + right.slice(at + wrong.remove);
      return Object.assign({ text, cuts }, flagsOfInput);
    });

function pieces({ text, cuts }: Input): Uint8Array[] {
  const bytes = new TextEncoder().encode(text);
  const places = cuts.map((cut) => Math.floor((cut / 1000) * bytes.length));
  const edges = [0, ...places.toSorted((a, b) => a - b), bytes.length];
  return edges.slice(1).map((end, index) => bytes.slice(edges[index], end));
}

interface PieceDecoder<Item> {
  write(chunk: Uint8Array, into: Item[]): void;
  end(into: Item[]): void;
}

const limit = new ObjectLimit(undefined);

function decoderOf({ lazy = false, inScript = false, stripManagedFields }: Input): Decoder {
  if (!lazy) return jsonDecoder({ stripManagedFields });
  const scan = inScript ? scriptStructure : createStructure;
  return createFormDecoder({ lazy }, { stripManagedFields, limit, scan });
}

function decode<Item>(decoder: PieceDecoder<Item>, input: Input): Item[] | Error {
  const into: Item[] = [];
  try {
    for (const piece of pieces(input)) decoder.write(piece, into);
    decoder.end(into);
    // A lazy member may turn out to be invalid JSON when it is read.
    JSON.stringify(into);
    return into;
  } catch (error) {
    if (error instanceof Error && "code" in error) return error;
    throw error;
  }
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    // The bytes count: they cannot encode a lone surrogate.
    return { value: JSON.parse(text.toWellFormed()) };
  } catch {
    return undefined;
  }
}

function withoutManagedFields(value: unknown): unknown {
  if (!isRecord(value) || !isRecord(value["metadata"])) return value;
  const { managedFields: _, ...kept } = value["metadata"];
  return { ...value, metadata: kept };
}

function hasDuplicates(text: string, value: unknown): boolean {
  return (JSON.stringify(value).match(/":/g)?.length ?? 0) !== (text.match(/"\s*:/g)?.length ?? 0);
}

function checkList(input: Input): void {
  const decoded = decode(decoderOf(input).list<Record<string, unknown>>(), input);
  const parsed = parse(input.text);
  const value = isRecord(parsed?.value) ? parsed.value : undefined;
  // JSON.parse takes the last of equal keys; a streaming decoder cannot.
  if (value !== undefined && hasDuplicates(input.text, value)) return;
  const { items = null, kind } = value ?? {};
  const isList =
    value !== undefined &&
    (Object.hasOwn(value, "items") ||
      kind === "Table" ||
      (typeof kind === "string" && kind.endsWith("List"))) &&
    (items === null || (Array.isArray(items) && items.every(isRecord))) &&
    hasUsableMembers(value);
  if (!isList) {
    // Removed text is not parsed, so it may be invalid JSON.
    if (input.stripManagedFields && parsed === undefined) return;
    if (!(decoded instanceof Error)) throw new Error("took for a list what is none");
    return;
  }
  if (decoded instanceof Error) throw decoded;
  const expected = Array.isArray(items) ? items : [];
  // The list has the type of items that lack it.
  const type = { apiVersion: undefined, kind: undefined };
  checkSame(
    decoded.map((item) => Object.assign({}, item, type)),
    expected
      .map((item: unknown) => (input.stripManagedFields ? withoutManagedFields(item) : item))
      .map((item: unknown) => Object.assign({}, item, type)),
    "the items",
  );
}

/** Whether the members that a list needs have the right types; otherwise the list is rejected. */
function hasUsableMembers({ kind, apiVersion, metadata: meta }: Record<string, unknown>): boolean {
  if (![kind, apiVersion].every(isTextOrAbsent)) return false;
  if (meta === undefined || meta === null) return true;
  return isRecord(meta) && [meta["resourceVersion"], meta["continue"]].every(isTextOrAbsent);
}

/** Whether a bracket or a string has no end. */
function isOpen(text: string): boolean {
  const brackets = text.replaceAll(/"(?:[^"\\]|\\.)*"/gs, "");
  return brackets.includes('"') || countOf(brackets, /[{[]/g) > countOf(brackets, /[}\]]/g);
}

function countOf(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length;
}

function isTextOrAbsent(value: unknown): boolean {
  return typeof value === "string" || value === undefined || value === null;
}

function checkWatch(input: Input): void {
  const decoded = decode(decoderOf(input).watch<unknown>(), input);
  const lines = input.text.split("\n");
  const last = lines.pop() ?? "";
  const events: unknown[] = [];
  const wrong = lines.findIndex((line) => line.trim() !== "" && !isEvent(parse(line)?.value));
  for (const line of wrong < 0 ? lines : lines.slice(0, wrong)) {
    if (line.trim() !== "") events.push(parse(line)?.value);
  }
  if (wrong >= 0) {
    if (input.stripManagedFields) return;
    // The line may have several events, and the last one of them may be cut.
    const rest = [...lines.slice(wrong), last].join("\n");
    if (!(decoded instanceof Error) && isOpen(rest)) {
      checkSame(decoded.slice(0, events.length), events, "the events before a cut");
      return;
    }
    if (!(decoded instanceof Error)) throw new Error("took for events what are none");
    return;
  }
  const rest = parse(last)?.value;
  if (isEvent(rest)) events.push(rest);
  if (decoded instanceof Error) throw decoded;
  const expected = input.stripManagedFields
    ? events.map((event) =>
        // Bookmarks are as servers send them.
        isRecord(event) && event["type"] !== "BOOKMARK"
          ? { ...event, object: withoutManagedFields(event["object"]) }
          : event,
      )
    : events;
  if (!events.some((event, at) => hasDuplicates(lines[at] ?? last, event))) {
    checkSame(decoded, expected, "the events");
  }
}

function isEvent(value: unknown): boolean {
  if (!isRecord(value) || typeof value["type"] !== "string") return false;
  return isRecord(value["object"]);
}

const event = fc.record({
  type: fc.constantFrom("ADDED", "MODIFIED", "DELETED", "BOOKMARK"),
  object: fc.oneof({ weight: 9, arbitrary: object }, { weight: 1, arbitrary: anyJson }),
});

const watchInputs = fc.array(inputs(event), { minLength: 1, maxLength: 4 }).map((all): Input => {
  const text = all.map((one) => one.text.replaceAll("\n", " ")).join("\n");
  const [first] = all;
  return {
    text: `${text}\n`,
    cuts: first?.cuts ?? [],
    stripManagedFields: first?.stripManagedFields === true,
    lazy: first?.lazy === true,
    inScript: first?.inScript === true,
  };
});

export const decoders: readonly AnyTarget[] = [
  fuzzTarget({ name: "list-decoder", inputs: inputs(list), check: checkList }),
  fuzzTarget({ name: "watch-decoder", inputs: watchInputs, check: checkWatch }),
];

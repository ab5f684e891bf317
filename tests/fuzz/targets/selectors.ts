import * as fc from "fast-check";
import { FieldSelector, fieldOf, LabelSelector } from "@listwatch/store-indexer";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { anyText } from "../anything.ts";
import { checkSame, fuzzTarget, type AnyTarget } from "../target.ts";

const keys = ["a", "b", "example.com/a", "A-b_c.d", "n"] as const;
const values = ["", "1", "x", "X", "10", "3", "a.b-c_d"] as const;
const objects = values.flatMap((value, index) =>
  keys.slice(0, 3).map((key, place) => ({
    metadata: {
      name: `${["x", "web", "a-1"][place]}-${index}`,
      namespace: "default",
      labels: { [key]: value, ...(index % 2 === 0 ? { n: String(index) } : {}) },
    },
  })),
);
const collection = "http://localhost/api/v1/namespaces/default/configmaps";
const api = new FakeApiServer({
  objects: objects.map((object) => ({ apiVersion: "v1", kind: "ConfigMap", ...object })),
});
type Thing = (typeof objects)[number];

/** Returns the names that the server selects, or "refused"; undefined where it knows more. */
async function selected(parameter: string, selector: string): Promise<unknown> {
  const query = new URLSearchParams({ [parameter]: selector }).toString();
  const response = await api.fetch(`${collection}?${query}`);
  const { items = [], message = "" } = (await response.json()) as {
    readonly items?: readonly Thing[];
    readonly message?: string;
  };
  // The server knows its fields; a selector of a store accepts any field.
  if (message.includes("is not a known field selector")) return undefined;
  if (!response.ok && response.status !== 400) throw new Error(`answered ${response.status}`);
  const names = items.map(({ metadata }) => metadata.name).filter((name) => !name.includes("kube"));
  return response.ok ? names : "refused";
}

/** Same as {@link selected} with an independent selector of stores. */
function matched(parse: () => (object: Thing) => boolean): unknown {
  let matches: (object: Thing) => boolean;
  try {
    matches = parse();
  } catch (error) {
    if (error instanceof Error && "code" in error) return "refused";
    throw error;
  }
  const names = objects.filter((object) => matches(object)).map(({ metadata }) => metadata.name);
  return names.toSorted();
}

const space = fc.constantFrom("", "", "", " ", "\t", "  ");
const token = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...keys, ...values) },
  {
    weight: 5,
    arbitrary: fc.constantFrom("in", "notin", "=", "==", "!=", "!", ">", "<", "(", ")", ","),
  },
  { weight: 1, arbitrary: anyText },
);
const requirement = fc
  .tuple(
    fc.constantFrom(...keys),
    space,
    fc.constantFrom("=", "==", "!=", ">", "<"),
    space,
    fc.constantFrom(...values),
  )
  .map((parts) => parts.join(""));
const setRequirement = fc
  .tuple(
    fc.constantFrom(...keys),
    fc.constantFrom(" in ", " notin ", " in", " notin\t"),
    fc.array(
      fc.tuple(space, fc.constantFrom(...values), space).map((parts) => parts.join("")),
      { maxLength: 3 },
    ),
  )
  .map(([key, operator, set]) => `${key}${operator}(${set.join(",")})`);
const existence = fc
  .tuple(fc.constantFrom("", "!", "! "), fc.constantFrom(...keys))
  .map((parts) => parts.join(""));
const labelText = fc.oneof(
  fc
    .array(fc.oneof(requirement, setRequirement, existence), { maxLength: 3 })
    .map((all) => all.join(",")),
  fc
    .array(
      fc.tuple(token, space).map((parts) => parts.join("")),
      { maxLength: 7 },
    )
    .map((all) => all.join("")),
);

const fieldText = fc
  .array(
    fc
      .tuple(
        fc.constantFrom("metadata.name", "metadata.namespace"),
        fc.constantFrom("=", "==", "!="),
        fc.oneof(
          fc.constantFrom("x-0", "web-1", "default", "", "a\\,b", "a\\=b", "a\\\\", "\\a", "a=b"),
          anyText,
        ),
      )
      .map((parts) => parts.join("")),
    { maxLength: 3 },
  )
  .map((terms) => terms.join(","));

/** Selectors of stores, compared with those of the server. */
export const selectors: readonly AnyTarget[] = [
  fuzzTarget({
    name: "label-selectors",
    // Go's lexer, and so the server, ends the string at U+0000.
    inputs: labelText.filter((text) => !text.includes("\0")),
    check: async (text: string) => {
      const parse = () => {
        const selector = LabelSelector.parse(text);
        return ({ metadata: { labels } }: Thing) => selector.matches(labels);
      };
      checkSame(matched(parse), await selected("labelSelector", text.toWellFormed()), text);
    },
  }),
  fuzzTarget({
    name: "field-selectors",
    inputs: fieldText,
    check: async (text: string) => {
      const parse = () => {
        const selector = FieldSelector.parse(text);
        return (object: Thing) => selector.matches((field) => fieldOf(object, field));
      };
      const expected = await selected("fieldSelector", text.toWellFormed());
      if (expected !== undefined) checkSame(matched(parse), expected, text);
    },
  }),
];

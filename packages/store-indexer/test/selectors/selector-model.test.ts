import {
  FieldSelector,
  InvalidSelectorError,
  LabelRequirement,
  LabelSelector,
} from "@listwatch/store-indexer";
import * as fc from "fast-check";
import { expect, test } from "vitest";

type LabelOperator = LabelRequirement["operator"];

const labelKeys = fc.constantFrom("app", "tier", "x.y/z-1", "in", "notin");
const labelValues = fc.constantFrom("", "web", "db", "in", "5", "40", "v1.2");
const labelSets = fc.dictionary(labelKeys, fc.oneof(labelValues, fc.constantFrom("-7", "x5")));

interface Term {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

const terms: fc.Arbitrary<Term> = fc.oneof(
  fc.record({
    key: labelKeys,
    operator: fc.constantFrom<LabelOperator>("in", "notin"),
    values: fc.uniqueArray(labelValues, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({
    key: labelKeys,
    operator: fc.constantFrom<LabelOperator>("=", "==", "!="),
    values: fc.tuple(labelValues),
  }),
  fc.record({
    key: labelKeys,
    operator: fc.constantFrom<LabelOperator>("gt", "lt"),
    values: fc.tuple(fc.constantFrom("0", "5", "39", "9223372036854775807")),
  }),
  fc.record({
    key: labelKeys,
    operator: fc.constantFrom<LabelOperator>("exists", "!"),
    values: fc.constant([]),
  }),
);

/** Evaluates a term as Kubernetes' documentation defines it. */
function holds({ key, operator, values }: Term, labels: Record<string, string>): boolean {
  const has = Object.keys(labels).includes(key);
  const value = labels[key] ?? "";
  const isInteger = has && /^-?\d+$/.test(value);
  switch (operator) {
    case "exists":
      return has;
    case "!":
      return !has;
    case "in":
    case "=":
    case "==":
      return has && values.includes(value);
    case "notin":
    case "!=":
      return !has || !values.includes(value);
    case "gt":
    case "lt":
      break;
  }
  const difference = isInteger ? BigInt(value) - BigInt(values[0] ?? 0) : 0n;
  return operator === "gt" ? difference > 0n : difference < 0n;
}

test("a label selector matches if all its terms hold", () => {
  fc.assert(
    fc.property(fc.array(terms, { maxLength: 4 }), labelSets, (list, labels) => {
      const selector = LabelSelector.of(
        ...list.map(({ key, operator, values }) => new LabelRequirement(key, operator, values)),
      );
      expect(selector.matches(labels)).toBe(list.every((term) => holds(term, labels)));
      const parsed = LabelSelector.parse(selector.toString());
      expect(parsed.toString()).toBe(selector.toString());
      expect(parsed.matches(labels)).toBe(selector.matches(labels));
    }),
    { numRuns: 500 },
  );
});

/** Returns the canonical string, or the position of the error. */
function attempt(parse: () => string): { text?: string; position?: number } {
  try {
    return { text: parse() };
  } catch (error) {
    if (error instanceof InvalidSelectorError) return { position: error.position };
    throw error;
  }
}

const termsOf = (text = ""): string[] =>
  FieldSelector.parse(text)
    .requirements.map((term) => Object.values(term).join(" "))
    .toSorted();

const fragments = fc.constantFrom(
  ..."= == != ! ( ) , < > in notin app tier web -x \t \0 é a/b 5".split(" "),
  " ",
  "\n",
);

test("any string parses to a selector with a canonical form, or to an error with a position", () => {
  fc.assert(
    fc.property(fc.array(fragments, { maxLength: 10 }), (parts) => {
      const text = parts.join("");
      const outcome = attempt(() => LabelSelector.parse(text).toString());
      const again = attempt(() => LabelSelector.parse(outcome.text ?? "").toString());
      expect(outcome.text ?? "").toBe(again.text);
      expect(text.slice(0, outcome.position ?? 0)).toHaveLength(outcome.position ?? 0);
    }),
    { numRuns: 1000 },
  );
});

const fieldNames = fc.constantFrom("metadata.name", "status.phase", "a");
const fieldValues = fc
  .array(fc.constantFrom("x", ",", "=", "\\", "!", " ", "é"))
  .map((parts) => parts.join(""));

test("a field selector matches if all its terms hold, and parses its own string", () => {
  const fieldTerms = fc.record({
    field: fieldNames,
    isEqual: fc.boolean(),
    value: fieldValues,
  });
  fc.assert(
    fc.property(
      fc.array(fieldTerms, { maxLength: 4 }),
      fc.dictionary(fieldNames, fieldValues),
      (list, fields) => {
        const selector = FieldSelector.and(
          ...list.map(({ field, isEqual, value }) =>
            isEqual ? FieldSelector.equal(field, value) : FieldSelector.notEqual(field, value),
          ),
        );
        const wanted = list.every(
          ({ field, isEqual, value }) => ((fields[field] ?? "") === value) === isEqual,
        );
        expect(selector.matches(fields)).toBe(wanted);
        const parsed = FieldSelector.parse(selector.toString());
        expect(parsed.requirements).toHaveLength(list.length);
        expect(parsed.matches(fields)).toBe(wanted);
      },
    ),
    { numRuns: 500 },
  );
});

test("any string is a field selector, or an error with a position", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("a", "=", "==", "!=", ",", "\\", " ", "é"), { maxLength: 10 }),
      (parts) => {
        const text = parts.join("");
        const outcome = attempt(() => FieldSelector.parse(text).toString());
        const again = attempt(() => FieldSelector.parse(outcome.text ?? "").toString());
        // Terms are sorted by their original spelling, so "a==2" and "a=2" may change places.
        expect(termsOf(outcome.text)).toEqual(termsOf(again.text));
        expect(text.slice(0, outcome.position ?? 0)).toHaveLength(outcome.position ?? 0);
      },
    ),
    { numRuns: 1000 },
  );
});

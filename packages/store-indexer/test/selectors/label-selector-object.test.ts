import {
  Indexer,
  InvalidRequirementError,
  LabelSelector,
  labelSelectorOf,
  Lister,
  type LabelSelectorObject,
} from "@listwatch/store-indexer";
import { describe, expect, test } from "vitest";

const expression = (operator: string, ...values: string[]): LabelSelectorObject => ({
  matchExpressions: [{ key: "app", operator, values }],
});

describe("labelSelectorOf", () => {
  test.each<[string, LabelSelectorObject | null | undefined, string]>([
    ["null", null, "nothing,!nothing"],
    ["undefined", undefined, "nothing,!nothing"],
    ["an empty object", {}, ""],
    ["empty members", { matchLabels: {}, matchExpressions: [] }, ""],
    ["labels", { matchLabels: { tier: "front", app: "web" } }, "app=web,tier=front"],
    ["In", expression("In", "web", "api"), "app in (api,web)"],
    ["NotIn", expression("NotIn", "web", "api"), "app notin (api,web)"],
    ["Exists", expression("Exists"), "app"],
    ["DoesNotExist", { matchExpressions: [{ key: "app", operator: "DoesNotExist" }] }, "!app"],
    [
      "both",
      {
        matchLabels: { app: "web" },
        matchExpressions: [{ key: "app", operator: "In", values: ["web"] }],
      },
      "app=web,app in (web)",
    ],
    ["an empty value", { matchLabels: { app: "" } }, "app="],
  ])("returns the string for %s", (_, selector, expected) => {
    expect(labelSelectorOf(selector)).toBe(expected);
    expect(LabelSelector.parse(expected).toString()).toBe(expected);
  });

  test.each<[string, unknown, string]>([
    [
      "an unknown operator",
      expression("in", "web"),
      "expected one of the operators In, NotIn, Exists, DoesNotExist",
    ],
    ["In without values", expression("In"), "expected at least one value"],
    ["Exists with values", expression("Exists", "web"), "expected exactly 0 values"],
    ["an invalid key", { matchLabels: { "a b": "1" } }, "expected a key"],
    ["an invalid value", { matchLabels: { app: "a b" } }, "expected a value"],
    [
      "a value of YAML",
      { matchLabels: { canary: true } },
      "expected a string, got the boolean true",
    ],
    [
      "a value of an expression",
      { matchExpressions: [{ key: "a", operator: "In", values: [1] }] },
      "got the number 1",
    ],
    [
      "a missing key",
      { matchExpressions: [{ operator: "Exists" }] },
      "expected a string, got undefined",
    ],
    ["plain labels", { app: "web" }, "with matchLabels and matchExpressions, got app"],
    ["a mistyped member", { matchlabels: { app: "web" } }, "got matchlabels"],
    ["a string", "app=web", 'got the string "app=web"'],
    ["a list", [], "got []"],
  ])("refuses %s", (_, selector, message) => {
    const read = () => labelSelectorOf(selector as LabelSelectorObject);
    expect(read).toThrow(InvalidRequirementError);
    expect(read).toThrow(message);
  });

  test("selects in a lister, where null selects nothing and an empty object everything", () => {
    const store = new Indexer({
      keyFunc: ({ metadata }: { metadata: { name: string } }) => metadata.name,
    });
    for (const [name, labels] of Object.entries({ a: { app: "web" }, b: { nothing: "" }, c: {} })) {
      store.add({ metadata: { name, labels } } as { metadata: { name: string } });
    }
    const lister = new Lister(store, { resource: "pods" });
    const select = (selector: LabelSelectorObject | null) =>
      lister
        .list({ labelSelector: labelSelectorOf(selector) })
        .map(({ metadata }) => metadata.name);
    expect(select(null)).toEqual([]);
    expect(select({})).toEqual(["a", "b", "c"]);
    expect(select(expression("In", "web"))).toEqual(["a"]);
    expect(select(expression("NotIn", "web"))).toEqual(["b", "c"]);
  });
});

import {
  InvalidRequirementError,
  InvalidSelectorError,
  LabelRequirement,
  LabelSelector,
} from "@listwatch/store-indexer";
import { describe, expect, test } from "vitest";

const matches = (selector: string, labels: Record<string, string>): boolean =>
  LabelSelector.parse(selector).matches(labels);

describe("parse", () => {
  test.each([
    ["app=web", "app=web"],
    ["app == web", "app==web"],
    ["tier!=db,app", "app,tier!=db"],
    ["! app", "!app"],
    ["app in (web,api)", "app in (api,web)"],
    ["app notin(\tweb, web,)", "app notin (,web)"],
    ["app in ()", "app in ()"],
    ["tier>5,tier<9", "tier>5,tier<9"],
    ["in in (in,notin)", "in in (in,notin)"],
    ["notin", "notin"],
    ["app=", "app="],
    ["example.com/app=web", "example.com/app=web"],
    [" \n\t", ""],
  ])("parses %j", (text, canonical) => {
    const selector = LabelSelector.parse(text);
    expect(selector.toString()).toBe(canonical);
    expect(LabelSelector.parse(canonical).toString()).toBe(canonical);
  });

  test.each([
    ["app web", 4, '"web"'],
    ["app=web,", 8, "the end"],
    ["app,,tier", 4, '","'],
    ["app=web=db", 7, '"="'],
    ["app in web", 7, '"web"'],
    ["app in (web", 11, "the end"],
    ["app in (web db)", 12, '"db"'],
    ["!", 1, "the end"],
    ["!!app", 1, '"!"'],
    ["!app=web", 4, '"="'],
    ["tier>=4", 5, '"="'],
    ["(app)", 0, '"("'],
    ["\0app", 0, String.raw`"\u0000app"`],
  ])("reports the position of the error in %j", (text, position, got) => {
    expect(() => LabelSelector.parse(text)).toThrow(
      expect.objectContaining({ code: "LW_INVALID_SELECTOR", selector: text, position }),
    );
    expect(() => LabelSelector.parse(text)).toThrow(`got ${got} at position ${position}`);
  });

  test.each([
    ["app=web,-tier=x", 8],
    ["a/b/c", 0],
    ["app in (ok, not/ok)", 12],
    ["tier > x", 7],
    [`tier,${"a".repeat(64)}`, 5],
  ])("reports the position of the invalid key or value in %j", (text, position) => {
    let failure: unknown;
    try {
      LabelSelector.parse(text);
    } catch (error) {
      failure = error;
    }
    expect(failure).toBeInstanceOf(InvalidSelectorError);
    expect(failure).toMatchObject({ position, cause: expect.any(InvalidRequirementError) });
  });
});

describe("matches", () => {
  test("equality requires the label, inequality does not", () => {
    expect(matches("app=web", { app: "web" })).toBe(true);
    expect(matches("app=web", {})).toBe(false);
    expect(matches("app!=web", {})).toBe(true);
    expect(matches("app!=web", { app: "web" })).toBe(false);
    expect(matches("app=", { app: "" })).toBe(true);
    expect(matches("app=", {})).toBe(false);
  });

  test("in requires the label, notin does not", () => {
    expect(matches("app in (web,api)", { app: "api" })).toBe(true);
    expect(matches("app in (web,api)", {})).toBe(false);
    expect(matches("app notin (web,api)", {})).toBe(true);
    expect(matches("app notin (web,api)", { app: "web" })).toBe(false);
  });

  test("existence ignores the value", () => {
    expect(matches("app", { app: "" })).toBe(true);
    expect(matches("!app", { app: "" })).toBe(false);
    expect(matches("!app", {})).toBe(true);
  });

  test("order compares integers of 64 bits exactly, and nothing else", () => {
    expect(matches("n>9007199254740992", { n: "9007199254740993" })).toBe(true);
    expect(matches("n<10", { n: "9" })).toBe(true);
    expect(matches("n<10", { n: "-9" })).toBe(true);
    expect(matches("n>10", { n: "+11" })).toBe(true);
    expect(matches("n>10", { n: "11.5" })).toBe(false);
    expect(matches("n>10", { n: "9223372036854775808" })).toBe(false);
    expect(matches("n>10", {})).toBe(false);
  });

  test("names of Object.prototype are labels like any other", () => {
    expect(matches("constructor", {})).toBe(false);
    expect(matches("!toString", {})).toBe(true);
    expect(matches("constructor=x", { constructor: "x" })).toBe(true);
  });

  test("missing labels count as empty ones", () => {
    expect(LabelSelector.parse("!app").matches(undefined)).toBe(true);
    expect(LabelSelector.parse("app").matches(undefined)).toBe(false);
  });
});

describe("everything and nothing", () => {
  test("everything is empty and selectable, and nothing is neither", () => {
    expect(LabelSelector.parse("")).toBe(LabelSelector.everything);
    expect(LabelSelector.everything.isEmpty).toBe(true);
    expect(LabelSelector.everything.matches({ a: "b" })).toBe(true);
    expect(LabelSelector.nothing.isEmpty).toBe(false);
    expect(LabelSelector.nothing.isSelectable).toBe(false);
    expect(LabelSelector.nothing.matches({})).toBe(false);
    expect(LabelSelector.nothing.toString()).toBe("");
  });

  test("nothing remains nothing, whatever requirement is added", () => {
    const requirement = new LabelRequirement("app", "exists");
    expect(LabelSelector.nothing.with(requirement)).toBe(LabelSelector.nothing);
    expect(LabelSelector.everything.with(requirement).toString()).toBe("app");
  });
});

describe("fromSet", () => {
  test("requires all labels, sorted by key", () => {
    expect(LabelSelector.fromSet({ tier: "web", app: "" }).toString()).toBe("app=,tier=web");
    expect(LabelSelector.fromSet({})).toBe(LabelSelector.everything);
  });

  test("checks the labels unless the option is off", () => {
    expect(() => LabelSelector.fromSet({ "-bad": "x" })).toThrow(InvalidRequirementError);
    expect(() => LabelSelector.fromSet({ ok: "a b" })).toThrow(InvalidRequirementError);
    const unchecked = LabelSelector.fromSet({ ok: "a b" }, { validate: false });
    expect(unchecked.matches({ ok: "a b" })).toBe(true);
  });
});

test("requiresExactMatch returns the only value that the first requirement allows", () => {
  const exact = (selector: string, key: string) =>
    LabelSelector.parse(selector).requiresExactMatch(key);
  expect(exact("app=web", "app")).toBe("web");
  expect(exact("app in (web)", "app")).toBe("web");
  expect(exact("app in (web,db)", "app")).toBeUndefined();
  expect(exact("app!=web", "app")).toBeUndefined();
  expect(exact("app=web", "tier")).toBeUndefined();
  expect(exact("app!=db,app=web", "app")).toBeUndefined();
});

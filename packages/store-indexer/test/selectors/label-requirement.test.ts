import { InvalidRequirementError, LabelRequirement } from "@listwatch/store-indexer";
import { expect, test } from "vitest";

test.each([
  ["in", []],
  ["notin", []],
  ["=", []],
  ["=", ["a", "b"]],
  ["!=", ["a", "b"]],
  ["exists", ["a"]],
  ["!", ["a"]],
  ["gt", ["1", "2"]],
  ["lt", []],
] as const)("the operator %s rejects the values %j", (operator, values) => {
  expect(() => new LabelRequirement("app", operator, values)).toThrow(
    expect.objectContaining({ code: "LW_INVALID_REQUIREMENT", part: "values" }),
  );
});

test("keys and values must follow the rules for labels", () => {
  const part = (create: () => LabelRequirement): string => {
    try {
      return create().toString();
    } catch (error) {
      return error instanceof InvalidRequirementError ? `${error.part} ${error.value ?? ""}` : "?";
    }
  };
  const longest = "a".repeat(63);
  expect(part(() => new LabelRequirement("-a", "exists"))).toBe("key ");
  expect(part(() => new LabelRequirement("", "exists"))).toBe("key ");
  expect(part(() => new LabelRequirement("A.b/c", "exists"))).toBe("key ");
  expect(part(() => new LabelRequirement(`${"d.".repeat(127)}d/c`, "exists"))).toBe("key ");
  expect(part(() => new LabelRequirement(longest, "exists"))).toBe(longest);
  expect(part(() => new LabelRequirement(`${longest}a`, "exists"))).toBe("key ");
  expect(part(() => new LabelRequirement("app", "in", ["ok", "-b"]))).toBe("value -b");
  expect(part(() => new LabelRequirement("app", "=", [`${longest}a`]))).toBe(`value ${longest}a`);
  expect(part(() => new LabelRequirement("app", "gt", ["5.5"]))).toBe("value 5.5");
  expect(part(() => new LabelRequirement("app", "lt", ["-5"]))).toBe("value -5");
});

test("an unknown operator throws, although the type forbids it", () => {
  // @ts-expect-error -- operators may come from JSON
  expect(() => new LabelRequirement("app", "nosuch", ["a"])).toThrow(
    expect.objectContaining({ part: "operator" }),
  );
});

test("values are sorted in the string and on the object", () => {
  const requirement = new LabelRequirement("app", "in", ["web", "api"]);
  expect(requirement.values).toEqual(["api", "web"]);
  expect(requirement.toString()).toBe("app in (api,web)");
});

import { FakeApiServer, InvalidOptionsError } from "@listwatch/fake-apiserver";
import { describe, expect, it } from "vitest";

describe("options that cannot be used are refused by the constructor", () => {
  const cases: readonly (readonly [options: object, message: string])[] = [
    [{ namespaces: "Strict" }, 'expected "strict" or "permissive" in namespaces, got "Strict"'],
    [{ podDeletion: "later" }, 'in podDeletion, got "later"'],
    [{ namespaceDeletion: 1 }, "in namespaceDeletion, got 1"],
    [{ bookmarkIntervalMs: Number.NaN }, "in bookmarkIntervalMs, got NaN"],
    [{ bookmarkIntervalMs: 0 }, "expected milliseconds above 0 in bookmarkIntervalMs, got 0"],
    [{ watchBufferEvents: -1 }, "expected an integer from 1 in watchBufferEvents, got -1"],
    [{ watchBufferEvents: Number.NaN }, "in watchBufferEvents, got NaN"],
    [{ seed: Number.NaN }, "in seed, got NaN"],
    [{ objects: [null] }, "expected a Kubernetes object in objects[0], got null"],
    [{ crds: ["x"] }, 'in crds[0], got "x"'],
  ];
  it.each(cases)("%o", (options, message) => {
    const create = () => new FakeApiServer(options);
    expect(create).toThrow(InvalidOptionsError);
    expect(create).toThrow(message);
    expect(create).toThrow(expect.objectContaining({ code: "LW_INVALID_OPTIONS" }));
  });

  it("and those that can are not", () => {
    const options = { namespaces: "strict", bookmarkIntervalMs: 1, seed: "" } as const;
    expect(new FakeApiServer(options).control.revision).toBeGreaterThan(0);
  });
});

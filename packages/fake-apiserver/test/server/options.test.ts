import { FakeApiServer, InvalidOptionsError } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";

describe("the constructor rejects invalid options", () => {
  const cases: readonly (readonly [options: object, message: string])[] = [
    [
      { namespaces: "Strict" },
      'namespaces: expected one of strict, permissive, got the string "Strict"',
    ],
    [{ podDeletion: "later" }, 'expected one of instant, kubelet, never, got the string "later"'],
    [{ validation: true }, "the option validation: expected one of full, off"],
    [{ namespaceDeletion: 1 }, "the option namespaceDeletion: expected one of"],
    [
      { watch: { bookmarkIntervalMs: Number.NaN } },
      "watch.bookmarkIntervalMs: expected milliseconds above 0, got the number NaN",
    ],
    [{ watch: { bookmarkIntervalMs: 0 } }, "expected milliseconds above 0, got the number 0"],
    [
      { watch: { bufferEvents: -1 } },
      "watch.bufferEvents: expected an integer of 1 or more, got the number -1",
    ],
    [{ watch: { bufferEvents: Number.NaN } }, "got the number NaN"],
    [
      { seed: Number.NaN },
      "the option seed: expected a string or a finite number, got the number NaN",
    ],
    [{ objects: [null] }, "the option objects[0]: expected a Kubernetes object, got null"],
    [{ crds: ["x"] }, 'the option crds[0]: expected a Kubernetes object, got the string "x"'],
  ];
  test.each(cases)("%o", (options, message) => {
    const create = () => new FakeApiServer(options);
    expect(create).toThrow(InvalidOptionsError);
    expect(create).toThrow(message);
    expect(create).toThrow(expect.objectContaining({ code: "LW_INVALID_OPTIONS" }));
  });

  test("and accepts valid ones", () => {
    const options = { namespaces: "strict", watch: { bookmarkIntervalMs: 1 }, seed: "" } as const;
    expect(new FakeApiServer(options).control.revision).toBeGreaterThan(0);
  });
});

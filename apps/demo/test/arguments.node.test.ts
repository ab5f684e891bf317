import { expect, test } from "vitest";
import { parseArguments } from "../src/arguments.ts";

test("without arguments the demo watches pods of a simulated cluster until Ctrl-C", () => {
  expect(parseArguments([])).toEqual({
    context: undefined,
    isReal: false,
    namespace: undefined,
    readOnly: false,
    resource: "pods",
    seed: 1,
    server: undefined,
    timeMs: undefined,
    tokenFile: undefined,
  });
});

test("--help asks for the usage", () => {
  expect(parseArguments(["--help"])).toBe(undefined);
  expect(parseArguments(["-h"])).toBe(undefined);
});

test("--seconds and --seed take any number above 0", () => {
  expect(parseArguments(["--seconds", "0.5", "--seed", "12"])).toMatchObject({
    seed: 12,
    timeMs: 500,
  });
});

const mistakes: readonly (readonly [message: RegExp, ...args: string[]])[] = [
  [/^--seconds: expected a number above 0, got "soon"$/, "--seconds", "soon"],
  [/^--seconds: expected a number above 0, got ""$/, "--seconds", ""],
  [/^--seconds: expected a number above 0, got "0.0"$/, "--seconds", "0.0"],
  [/seconds/, "--seconds", "-1"],
  [/^--seed: expected a number above 0, got "x"$/, "--seed", "x"],
  [/^--resource: expected a name such as pods or deployments.apps, got/, "--resource", "Pods!"],
  [/^--namespace: expected a name, got "a\/b"$/, "--namespace", "a/b"],
  [/^--token-file needs --server$/, "--token-file", "/etc/hostname"],
  [/^--token-file needs --server$/, "--context", "kind", "--token-file", "/etc/hostname"],
  [
    /^--token-file: cannot read a token: ENOENT/,
    "--server",
    "http://h",
    "--token-file",
    "/no/file",
  ],
  [/^--token-file: cannot read a token: the file is/, "--server", "x", "--token-file", "/dev/null"],
  [/^--context: expected the name of a context, got ""$/, "--context", ""],
  [/^--context and --server: expected one of them$/, "--context", "a", "--server", "http://b"],
  [/^--read-only needs --context or --server$/, "--read-only"],
  [/bogus/, "--bogus"],
  [/^expected no arguments, got 1 arguments$/, "surplus"],
];

test("each mistake is named in one line with what was expected", () => {
  for (const [message, ...args] of mistakes) {
    expect(() => parseArguments(args)).toThrow(
      expect.objectContaining({ name: "UsageError", message: expect.stringMatching(message) }),
    );
  }
});

import assert from "node:assert/strict";
import { parseArguments } from "../../apps/demo/src/arguments.ts";
import { Program, test } from "./harness.ts";

test("without arguments the demo watches pods of a cluster of its own until Ctrl-C", () => {
  assert.deepEqual(parseArguments([]), {
    context: undefined,
    server: undefined,
    tokenFile: undefined,
    readOnly: false,
    resource: "pods",
    namespace: undefined,
    seconds: undefined,
    seed: 1,
  });
});

test("each argument that cannot be used is named in one line with what was expected", () => {
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [["--server", "not a url"], /^--server: expected a URL .* got "not a url"$/],
    [["--server", "ftp://host"], /^--server: expected a URL/],
    [["--seconds", "soon"], /^--seconds: expected a number above 0, got "soon"$/],
    [["--seconds", "-1"], /seconds/],
    [["--seconds", "3000000"], /^--seconds: expected at most 2147483, got "3000000"$/],
    [
      ["--server", "http://u:p@host"],
      /^--server: expected a URL without a user and password in it$/,
    ],
    [["--seconds", ""], /^--seconds: expected a number above 0, got ""$/],
    [["--resource", "Pods!"], /^--resource: expected a name/],
    [["--namespace", "a/b"], /^--namespace: expected a name/],
    [["--token-file", "/etc/hostname"], /^--token-file needs --server$/],
    [
      ["--server", "http://127.0.0.1:1", "--token-file", "/nonexistent"],
      /^--token-file: cannot read/,
    ],
    [["--context", ""], /^--context: expected the name of a context, got none$/],
    [
      ["--context", "kind", "--server", "http://127.0.0.1:1"],
      /^--context and --server: expected one of them$/,
    ],
    [["--context", "kind", "--token-file", "/etc/hostname"], /^--token-file needs --server$/],
    [["--read-only"], /^--read-only needs --context or --server$/],
    [["--bogus"], /bogus/],
    [["surplus"], /^expected no arguments, got 1 arguments$/],
  ];
  for (const [args, message] of cases) {
    assert.throws(() => parseArguments(args), { name: "UsageError", message });
  }
});

test("a bad argument on the command line gives one line, the usage and exit code 2", async () => {
  const program = Program.demo("--seconds", "soon");
  assert.equal(await program.exited, 2);
  const [first, , usage] = program.errors.split("\n");
  assert.equal(first, 'listwatch-demo: --seconds: expected a number above 0, got "soon"');
  assert.match(usage ?? "", /^Usage: npx @listwatch\/demo/);
  assert.equal(program.output, "");
});

test("--help prints the usage and ends well", async () => {
  const program = Program.demo("--help");
  assert.equal(await program.exited, 0);
  assert.match(program.output, /^Usage: npx @listwatch\/demo/);
});

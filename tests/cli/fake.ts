import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { Program, test } from "../demo/harness.ts";
import { listwatch } from "./listwatch.ts";

const own = [
  "--conditions=@listwatch/source",
  "packages/fake-apiserver/src/adapters/node-cli.ts",
] as const;

/** Returns output and exit code of both commands. */
async function both(...args: readonly string[]): Promise<readonly unknown[][]> {
  const programs = [listwatch("fake", ...args), new Program(process.execPath, [...own, ...args])];
  const withoutName = (text: string): string =>
    text.replaceAll(/\b(listwatch fake|fake-apiserver)\b/g, "X");
  return Promise.all(
    programs.map(async (program) => {
      const code = await program.exited;
      return [code, withoutName(program.output), withoutName(program.errors)];
    }),
  );
}

test("fake has the same options and errors as fake-apiserver", async () => {
  for (const args of [["--help"], ["--bogus"], ["--port", "x"], ["--load", "no-such-file"]]) {
    const [ours, theirs] = await both(...args);
    assert.deepEqual(ours, theirs);
    assert.equal(ours?.[0], args[0] === "--help" ? 0 : args[0] === "--load" ? 1 : 2);
  }
});

test("fake starts a server that watch and doctor reach through the printed kubeconfig", async () => {
  const fake = listwatch("fake", "--port", "0", "--tls", "--token", "token-of-the-tests");
  await fake.until("the kubeconfig", () => fake.output.includes("export KUBECONFIG="));
  const [, path = ""] = /export KUBECONFIG=(.+)/.exec(fake.output) ?? [];
  process.env["KUBECONFIG"] = path;
  try {
    const doctor = listwatch("doctor");
    assert.equal(await doctor.exited, 0, doctor.output);
    const watch = listwatch("watch", "namespaces");
    await watch.until("the list", () => watch.output.includes("ADDED    kube-system"));
    watch.interrupt();
    assert.equal(await watch.exited, 130);
  } finally {
    delete process.env["KUBECONFIG"];
  }
  fake.interrupt();
  assert.equal(await fake.exited, 0);
  assert.ok(!existsSync(path), "expected the kubeconfig to go with the server");
});

test("the documentation page has every command and option", async () => {
  const page = readFileSync("apps/docs/src/content/docs/reference/commands.mdx", "utf8");
  for (const args of [[], ["watch"], ["doctor"]]) {
    const help = listwatch(...args, "--help");
    assert.equal(await help.exited, 0);
    const names = help.output.match(/(?<=^ {2})[a-z]+|(?<=^ {2}.*)--[a-z-]+/gm) ?? [];
    assert.ok(names.length >= 4, help.output);
    for (const name of names) assert.ok(page.includes(name), `expected ${name} on the page`);
  }
});

test("the list of commands: --help, --version, and no command", async () => {
  const help = listwatch("--help");
  assert.equal(await help.exited, 0);
  for (const name of ["watch", "doctor", "fake", "generate"]) {
    assert.match(help.output, new RegExp(`^  ${name} .*\\S$`, "m"));
  }
  const version = listwatch("--version");
  assert.equal(await version.exited, 0);
  assert.match(version.output, /^\d+\.\d+\.\d+\n$/);
});

test("demo names the package of the demo in one line, and ends with 2", async () => {
  const demo = listwatch("demo", "--seconds", "1");
  assert.equal(await demo.exited, 2);
  assert.equal(demo.output, "");
  assert.equal(demo.errors, "listwatch: the demo is a separate package: npx @listwatch/demo\n");
});

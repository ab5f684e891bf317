import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { doctor } from "../../src/commands/node-doctor.ts";
import { UsageError } from "../../src/commands/node-usage-error.ts";
import { watch } from "../../src/commands/node-watch.ts";

// Nothing listens there: an accepted name would fail with a connection error.
const server = ["--server", "http://127.0.0.1:1"];

test.each([
  ["pods", "-n", ""],
  ["pods", "-n", ".."],
  ["pods", "-n", "a/b"],
  ["pods", "-n", "a%2fb"],
  ["pods", ""],
  ["pods", ".."],
  ["pods", "a/b"],
  ["pods/.."],
])("watch %s %s %s is rejected, since it would address other objects", async (...args) => {
  const given = args.filter((arg) => arg !== undefined);
  await expect(watch([...given, ...server])).rejects.toThrow(UsageError);
});

test.each(["", "..", "a/b"])("doctor -n %j is rejected", async (namespace) => {
  await expect(doctor(["-n", namespace, ...server])).rejects.toThrow(UsageError);
});

/** Runs the command in a separate process. */
function run(...args: readonly string[]) {
  const program = join(import.meta.dirname, "../../src/node-cli.ts");
  const options = ["--conditions=@listwatch/source", program, ...args];
  const { status, stderr, stdout } = spawnSync("node", options, { encoding: "utf8" });
  return { status, stderr, stdout };
}

test.each(["watch", "doctor", "fake", "generate", "record", "diff"])(
  "help %s shows its help",
  (command) => {
    const help = run("help", command);
    expect(help).toEqual(run(command, "--help"));
    expect(help).toMatchObject({ status: 0, stderr: "" });
    expect(help.stdout).toMatch(new RegExp(`^Usage: listwatch ${command}`));
  },
);

test("help without a known command lists the commands", () => {
  expect(run("help").stdout).toMatch(/^Usage: listwatch COMMAND/);
  const { status, stderr } = run("help", "wach");
  expect([status, stderr.split("\n")[0]]).toEqual([2, 'listwatch: there is no command "wach"']);
});

import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { formatRoles, type UsedRight } from "@listwatch/testing";
import { parseCommand } from "./node-arguments.ts";
import { UsageError } from "./node-usage-error.ts";

const usage = `Usage: listwatch rbac -o FILE [options] -- COMMAND...

Runs tests and writes the roles that their program needs: a Role in each namespace that the program
lists, and a ClusterRole for the rest. Only requests of programs with a service account count: the
option "account" of testCluster, withTestCluster and simulate (listwatch/testing).

  -- COMMAND...          command that runs the tests, such as: node --test
  -o, --output FILE      file to write, whose folder is created
  --check                write nothing; the exit code is 1 if the file is not up to date
  --help                 show this text`;

/** Runs `listwatch rbac`. */
export async function rbac(args: readonly string[]): Promise<void> {
  const end = args.indexOf("--");
  const command = end === -1 ? [] : args.slice(end + 1);
  const parsed = parseCommand(end === -1 ? args : args.slice(0, end), {
    usage,
    options: {
      output: { type: "string", short: "o" },
      check: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
    expected: "-- before the command",
  });
  if (parsed === undefined) return;
  const { check = false, output } = parsed.values;
  if (output === undefined) throw new UsageError("--output: expected a file to write", usage);
  if (command.length === 0)
    throw new UsageError("expected -- and a command that runs tests", usage);
  const roles = formatRoles(await rightsOf(command));
  const text = `# Written by "listwatch rbac" from the requests of tests.\n${roles}`;
  if (check) {
    if ((await readFile(output, "utf8").catch(() => undefined)) === text) return;
    throw new Error(`${output} is not up to date: run the same command without --check`);
  }
  await mkdir(dirname(output), { recursive: true });
  await writeFile(output, text);
}

/** Runs tests and returns the rights that their programs used. */
async function rightsOf(command: readonly string[]): Promise<UsedRight[]> {
  const folder = await mkdtemp(join(tmpdir(), "listwatch-rbac-"));
  try {
    const file = join(folder, "rights.ndjson");
    await writeFile(file, "");
    await run(command, { LISTWATCH_RIGHTS_FILE: file });
    const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
    if (lines.length === 0) {
      throw new Error(
        `No program with a service account sent a request during "${command.join(" ")}": ` +
          `give testCluster or simulate the option account`,
      );
    }
    // Written by our own package.
    return [...new Set(lines)].map((line): UsedRight => JSON.parse(line));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function run(
  [program = "", ...args]: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  // Programs such as npm are scripts on Windows.
  const shell = process.platform === "win32";
  const env = { ...process.env, ...variables };
  const child = spawn(program, args, { stdio: "inherit", env, shell });
  const { promise, reject, resolve } = Promise.withResolvers<void>();
  child.once("error", (error) => reject(new Error(`Cannot run ${program}: ${error.message}`)));
  child.once("exit", (code, signal) => {
    if (code === 0) return resolve();
    const how = signal === null ? `exit code ${code}` : signal;
    reject(new Error(`The tests have failed (${how}): the roles are not written`));
  });
  await promise;
}

import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import type { ExecConfig } from "@listwatch/client";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findProgram } from "../../src/credentials/node-find-program.ts";
import { runPlugin, type PluginRunOptions } from "../../src/credentials/node-run-plugin.ts";
import { failureOf } from "../support/answering.ts";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "listwatch-plugin-")));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const version = "client.authentication.k8s.io/v1";
const credential = JSON.stringify({
  kind: "ExecCredential",
  apiVersion: version,
  status: { token: "t" },
});

/** Writes a program of the shell. */
function writeProgram(path: string, script: string): string {
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}

/** Runs a plugin, which finds the folder in `$FOLDER`. */
function run(script: string, config: Partial<ExecConfig> = {}, options: PluginRunOptions = {}) {
  const exec = {
    apiVersion: version,
    command: writeProgram(join(folder, "login"), script),
    args: [],
    env: { FOLDER: folder },
    installHint: undefined,
    cluster: undefined,
    ...config,
  };
  return runPlugin(exec, { onStderr: () => undefined, ...options });
}

describe("the error output of a plugin", () => {
  test("is passed on while the plugin waits for a person (EXEC-3)", async () => {
    const wait = 'until [ -e "$FOLDER/signed-in" ]; do sleep 0.05; done';
    const seen: string[] = [];
    const output = await run(
      `echo "open https://login.example" >&2; ${wait}; echo '${credential}'`,
      {},
      {
        onStderr: (text) => {
          seen.push(text);
          writeFileSync(join(folder, "signed-in"), "");
        },
      },
    );
    expect(seen).toEqual(["open https://login.example\n"]);
    expect(output).toBe(`${credential}\n`);
  });

  test("reaches the error output of a program without a terminal, by default (EXEC-3)", async () => {
    const command = writeProgram(join(folder, "login"), 'echo "enter ABCD" >&2; exit 1');
    const [program, ...args] = programOf(command);
    const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"] });
    expect(await textOf(child.stderr)).toBe("enter ABCD\n");
  });
});

const hasScript = spawnSync("script", ["--version"]).error === undefined;

// `script` of util-linux makes a terminal.
test.skipIf(!hasScript)("a plugin gets the terminal of its program (EXEC-1)", () => {
  const info = '[ -t 0 ] && [ -t 2 ] && printf "%s" "$KUBERNETES_EXEC_INFO" >';
  const command = writeProgram(join(folder, "login"), `${info} "${folder}/info"; exit 1`);
  const line = programOf(command)
    .map((part) => `'${part}'`)
    .join(" ");
  spawnSync("script", ["-qec", line, "/dev/null"], { stdio: ["ignore", "ignore", "ignore"] });
  expect(readFileSync(join(folder, "info"), "utf8")).toContain('"spec":{"interactive":true}');
});

/** Returns the command line of a program that runs this plugin, on the runtime of the tests. */
function programOf(command: string): [string, ...string[]] {
  const deno = "Deno" in globalThis ? ["run", "-A", "--no-lock"] : [];
  const file = join(import.meta.dirname, "../support/signing-in.ts");
  return [process.execPath, ...deno, "--conditions=@listwatch/source", file, command];
}

describe("a plugin that has ended", () => {
  const orphan = "sleep 600 &";
  const endOrphan = (): void => {
    const pid = Number(readFileSync(join(folder, "pid"), "utf8"));
    process.kill(pid);
  };

  test("is done, whatever a program it has left behind holds open (EXEC-3)", async () => {
    const script = `${orphan} echo $! > "$FOLDER/pid"; echo '${credential}'`;
    expect(await run(script)).toBe(`${credential}\n`);
    endOrphan();
  });

  test("fails with its code and its words in spite of such a program (EXEC-3)", async () => {
    const script = `${orphan} echo $! > "$FOLDER/pid"; echo "no login" >&2; exit 3`;
    expect(String(await failureOf(run(script)))).toContain("ended with code 3: no login");
    endOrphan();
  });

  test("is read whole, even if its output is larger than a pipe (EXEC-1)", async () => {
    const output = await run(`head -c 300000 /dev/zero | tr '\\0' ' '; echo '${credential}'`);
    expect(output.trim()).toBe(credential);
  });
});

test("closing its connection ends a plugin (EXEC-3)", async () => {
  const closing = new AbortController();
  const running = run(
    "echo waiting >&2; exec sleep 600",
    {},
    {
      signal: closing.signal,
      onStderr: () => closing.abort(),
    },
  );
  expect(String(await failureOf(running))).toContain("its connection was closed");
});

test("a plugin that always needs a terminal fails without one (EXEC-1)", async () => {
  if (process.stdin.isTTY) return;
  const failure = await failureOf(run("exit 0", { interactiveMode: "Always" }));
  expect(String(failure)).toContain("standard input is not one");
});

describe("a program is found like by kubectl", () => {
  test("in the PATH of the process, not in that of the plugin (EXEC-1)", async () => {
    const other = join(folder, "other");
    mkdirSync(other);
    writeProgram(join(other, "listwatch-login"), "exit 0");
    const env = { PATH: other };
    const failure = await failureOf(run("", { command: "listwatch-login", env }));
    expect(String(failure)).toContain("listwatch-login: it was not found");
    expect(await findProgram("listwatch-login", env)).toBe(join(other, "listwatch-login"));
  });

  test("and receives the name by which it was called (EXEC-1)", async () => {
    const env = { FOLDER: folder };
    // A shell prints its name in the error.
    const output = await run("", {
      command: "sh",
      args: ["-c", `echo "$0" > "$FOLDER/name"; echo '${credential}'`],
      env,
    });
    expect(output.trim()).toBe(credential);
    expect(readFileSync(join(folder, "name"), "utf8").trim()).toBe("sh");
  });

  test("unless it cannot be executed, or is in a relative folder (EXEC-1)", async () => {
    const [first, second] = [join(folder, "first"), join(folder, "second")];
    for (const path of [first, second]) {
      mkdirSync(path);
      writeProgram(join(path, "login"), "exit 0");
    }
    chmodSync(join(first, "login"), 0o644);
    const folders = { PATH: [first, second].join(delimiter) };
    expect(await findProgram("login", folders)).toBe(join(second, "login"));
    expect(await findProgram(join(first, "login"), folders)).toBeUndefined();
    expect(await findProgram("second", { PATH: folder })).toBeUndefined();
    const relative = "packages/client/test/support";
    expect(existsSync(relative)).toBe(true);
    expect(await findProgram("plugin.mjs", { PATH: relative })).toBeUndefined();
  });

  test("with an extension on Windows (EXEC-1)", async () => {
    writeProgram(join(folder, "login.EXE"), "exit 0");
    const environment = { Path: folder, PATHEXT: ".COM;.EXE" };
    expect(await findProgram("login", environment, "win32")).toBe(join(folder, "login.EXE"));
    expect(await findProgram("other", environment, "win32")).toBeUndefined();
  });
});

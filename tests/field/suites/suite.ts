import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeApiServer, type FakeApiServerOptions } from "@listwatch/fake-apiserver";
import { listen } from "@listwatch/fake-apiserver/node";
import { writeKubeconfig } from "../../../packages/fake-apiserver/src/adapters/node-kubeconfig.ts";

/** The result of a test. */
export interface TestResult {
  readonly name: string;
  /** Undefined if it passed. */
  readonly problem: string | undefined;
}

/** The tests of another project. */
export interface Suite {
  readonly name: string;
  /** Whether what it needs is installed. */
  readonly isPossible: () => boolean;
  /** Runs the tests whose names or packages have one of the parts; all without any. */
  readonly run: (parts: readonly string[]) => AsyncIterable<TestResult>;
}

/** Whether all commands succeed. */
export function succeed(...commands: readonly string[]): boolean {
  return commands.every((command) => spawnSync("sh", ["-c", command]).status === 0);
}

interface Place {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a command to its end, and returns what it writes. */
export async function output(
  [command = "", ...args]: readonly string[],
  { cwd, env }: Place,
): Promise<{ readonly status: number | null; readonly stdout: string; readonly all: string }> {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env } });
  let [stdout, all] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    all += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => (all += text));
  const { promise, reject, resolve } = Promise.withResolvers<number | null>();
  child.once("error", reject).once("close", resolve);
  return { status: await promise, stdout, all };
}

/** Runs a command that prepares a suite. @throws its output if it fails */
export async function prepare(command: readonly string[], place: Place): Promise<string> {
  const { all, status, stdout } = await output(command, place);
  if (status !== 0) throw new Error(`${command.join(" ")}: ${all}`);
  return stdout;
}

/** A kube-apiserver alone, without the controllers that delete and complete objects. */
export const withoutControllers: FakeApiServerOptions = {
  authorization: "rbac",
  bootstrap: "full",
  garbageCollection: "never",
  namespaceDeletion: "never",
  podDeletion: "never",
};

/** Calls a function with a server, which simulates all controllers by default, and its kubeconfig. */
export async function withServer<T>(
  use: (kubeconfig: string, server: FakeApiServer) => Promise<T>,
  options: FakeApiServerOptions = { bootstrap: "full", controllers: true },
): Promise<T> {
  const home = mkdtempSync(join(tmpdir(), "listwatch-suite-"));
  const server = new FakeApiServer(options);
  await using listener = await listen(server, { tls: true });
  try {
    const kubeconfig = join(home, "kubeconfig");
    const { tls, url } = listener;
    await writeKubeconfig(kubeconfig, {
      url,
      authority: tls?.authority,
      client: await tls?.issueClientCertificate(),
    });
    return await use(kubeconfig, server);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

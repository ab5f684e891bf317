import { rmSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { Program } from "../demo/harness.ts";

const cli = "packages/listwatch/src/node-cli.ts";
const node = ["--conditions=@listwatch/source", cli] as const;

export function listwatch(...args: readonly string[]): Program {
  return new Program(process.execPath, [...node, ...args]);
}

/** Starts it in a pseudo-terminal, made by `script` of util-linux. */
export function listwatchInTerminal(...args: readonly string[]): Program {
  return Program.inTerminal(`exec ${commandLine(args)}`);
}

/** Starts it in a pseudo-terminal with NO_COLOR. */
export function listwatchWithoutColours(...args: readonly string[]): Program {
  return Program.inTerminal(`exec env NO_COLOR=1 ${commandLine(args)}`);
}

/** A shell command, to follow `exec`: shells differ in their exit code after a Ctrl-C. */
function commandLine(args: readonly string[]): string {
  return [process.execPath, ...node, ...args].map((word) => `'${word}'`).join(" ");
}

/** Server and user of a kubeconfig. */
export interface KubeconfigContents {
  readonly server: string;
  /** The trusted authority, as PEM. */
  readonly ca?: string | undefined;
  readonly cluster?: object | undefined;
  /** The user, as in the file. */
  readonly user?: object | undefined;
  readonly namespace?: string | undefined;
}

/** Writes a kubeconfig and calls a function while `KUBECONFIG` names it. */
export async function withKubeconfig<R>(
  contents: KubeconfigContents,
  run: (path: string) => Promise<R>,
): Promise<R> {
  const folder = mkdtempSync(join(tmpdir(), "listwatch-cli-"));
  const path = join(folder, "config");
  writeFileSync(path, kubeconfigOf(contents), { mode: 0o600 });
  const before = process.env["KUBECONFIG"];
  process.env["KUBECONFIG"] = path;
  try {
    return await run(path);
  } finally {
    if (before === undefined) delete process.env["KUBECONFIG"];
    else process.env["KUBECONFIG"] = before;
    rmSync(folder, { recursive: true });
  }
}

function kubeconfigOf({ ca, cluster, namespace, server, user = {} }: KubeconfigContents): string {
  const authority = ca && { "certificate-authority-data": Buffer.from(ca).toString("base64") };
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "test",
    clusters: [{ name: "test", cluster: { server, ...authority, ...cluster } }],
    users: [{ name: "test", user }],
    contexts: [{ name: "test", context: { cluster: "test", user: "test", namespace } }],
  });
}

import { spawn } from "node:child_process";
import type { Output } from "./pages.ts";

const spec = { containers: [{ name: "web", image: "nginx" }] };
/** Objects of the cluster that the programs use. */
export const objects = ["default", "shop"].flatMap((namespace) => [
  { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
  { apiVersion: "v1", kind: "Pod", metadata: { namespace, name: "web-0" }, spec },
  {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace, name: "web" },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: "web" } },
      template: { metadata: { labels: { app: "web" } }, spec },
    },
  },
]);

/** A kubeconfig for an API server without credentials. JSON is YAML, too. */
export function kubeconfigFor(server: string): string {
  const cluster = { server, "insecure-skip-tls-verify": true };
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "fake",
    clusters: [{ name: "fake", cluster }],
    users: [{ name: "reader", user: {} }],
    contexts: [{ name: "fake", context: { cluster: "fake", user: "reader" } }],
  });
}

/** Time limit of a program. */
const runLimitMs = 120_000;

/**
 * Returns the problem of a run; undefined if the program prints the expected output. A program
 * without end is killed when it has printed or logged its part, or when `isDone` resolves.
 */
export async function problemOf(
  command: readonly string[],
  output: Output | undefined,
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  isDone?: Promise<void>,
): Promise<string | undefined> {
  const [name = "", ...args] = command;
  const part = output !== undefined && "part" in output ? output.part : undefined;
  const whole = output !== undefined && "whole" in output ? output.whole : undefined;
  const child = spawn(name, args, {
    ...options,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  // Kills the process group: a package manager runs the program in a separate process.
  const end = (): void => void process.kill(-child.pid!, "SIGKILL");
  const timer = setTimeout(end, runLimitMs);
  let printed = "";
  let errors = "";
  let isShown = false;
  const show = (): void => {
    if (isShown) return;
    isShown = true;
    end();
  };
  void isDone?.then(show);
  const look = (): void => {
    if (part !== undefined && (printed.includes(part) || errors.includes(part))) show();
  };
  child.stderr.on("data", (chunk) => {
    errors += String(chunk);
    look();
  });
  child.stdout.on("data", (chunk) => {
    printed += String(chunk);
    look();
  });
  const code = await new Promise<number | null>((ended) => child.once("close", ended));
  clearTimeout(timer);
  if (isShown) return undefined;
  const all = `${printed}${errors}`;
  if (part !== undefined) return `it did not print ${JSON.stringify(part)}\n${all}`;
  if (code !== 0) return `it ended with ${String(code)}\n${all}`;
  return whole === undefined || printed === whole ? undefined : `it printed something else\n${all}`;
}

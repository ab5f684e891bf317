import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

/** The text of `--help`. */
export const usage = `Usage: npx @listwatch/demo [options]

Starts a fake API server on a free loopback port, simulates a small cluster in
it, and runs a shared informer on it over HTTP.

  --context NAME     use the cluster of this context of the kubeconfig instead
                     (KUBECONFIG, else ~/.kube/config)
  --server URL       use this API server instead, such as that of kubectl proxy
  --token-file FILE  send the bearer token in FILE with every request to --server
  --read-only        create nothing on that cluster, only watch
  --resource NAME    resource to watch, by plural, singular, short name or kind:
                     pods, cm, Deployment, deployments.apps (default pods)
  --namespace NAME   only this namespace (default all)
  --seconds N        end after N seconds (default: until Ctrl-C)
  --seed N           seed of the simulated changes (default 1)
  --help             show this text

On a real cluster the demo watches the existing objects. While it watches pods of
all namespaces, it creates a namespace listwatch-demo-... with pods that no
scheduler takes, and deletes it at the end, also after Ctrl-C.

Keys cause faults, after each of which the demo compares the cache with the server;
? explains them. Without a terminal it prints a line for each event and a summary
at the end. The exit code is 1 when the server has never answered, 2 after a
mistake in the command line, and 0 otherwise.`;

/** A mistake in the command line. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}

/** The command line, checked. */
export type DemoArguments = NonNullable<ReturnType<typeof parseArguments>>;

const string = { type: "string" } as const;
const options = {
  ...{ context: string, server: string, "token-file": string, namespace: string, seconds: string },
  resource: { type: "string", default: "pods" },
  seed: { type: "string", default: "1" },
  "read-only": { type: "boolean", default: false },
  help: { type: "boolean", short: "h" },
} as const;

const positive = /^(?=.*[1-9])\d+(\.\d+)?$/;
const rules: readonly (readonly [keyof typeof options, RegExp, expected: string])[] = [
  ["context", /./, "the name of a context"],
  ["resource", /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)*$/i, "a name such as pods or deployments.apps"],
  ["namespace", /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, "a name"],
  ["seconds", positive, "a number above 0"],
  ["seed", positive, "a number above 0"],
];

/**
 * Reads the command line; `undefined` if the user asked for help.
 *
 * @throws {UsageError} if something cannot be used
 */
export function parseArguments(args: readonly string[]) {
  const { positionals, values } = parse(args);
  if (values.help === true) return undefined;
  const count = positionals.length;
  check(count === 0, `expected no arguments, got ${count} arguments`);
  for (const [option, pattern, expected] of rules) {
    const value = values[option];
    const isRight = typeof value !== "string" || pattern.test(value);
    check(isRight, `--${option}: expected ${expected}, got "${String(value)}"`);
  }
  const { context, namespace, resource, seconds, seed, server } = values;
  const { "read-only": readOnly, "token-file": tokenFile } = values;
  const isReal = context !== undefined || server !== undefined;
  const isBoth = context !== undefined && server !== undefined;
  check(!isBoth, "--context and --server: expected one of them");
  check(!readOnly || isReal, "--read-only needs --context or --server");
  check(tokenFile === undefined || server !== undefined, "--token-file needs --server");
  if (tokenFile !== undefined) readToken(tokenFile);
  const timeMs = seconds === undefined ? undefined : Number(seconds) * 1000;
  const place = { context, isReal, namespace, resource, server, tokenFile };
  return { ...place, readOnly, seed: Number(seed), timeMs };
}

/** The token in a file, without the line break at its end. */
export function readToken(file: string): string {
  try {
    const token = readFileSync(file, "utf8").trim();
    check(token !== "", "the file is empty");
    return token;
  } catch (error) {
    throw new UsageError(`--token-file: cannot read a token: ${errorMessage(error)}`);
  }
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    // Only the first sentence is about the mistake; advice about "--" follows it.
    const [sentence = ""] = errorMessage(error).split(". ");
    throw new UsageError(sentence, { cause: error });
  }
}

function check(isRight: boolean, message: string): void {
  if (!isRight) throw new UsageError(message);
}

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

/** The command line, checked. */
export interface DemoArguments {
  /** Context of the kubeconfig. Without it and `server` the demo brings its own cluster. */
  readonly context: string | undefined;
  /** Base URL of an API server. */
  readonly server: string | undefined;
  /** File with a bearer token, reread for every request because clusters rotate tokens. */
  readonly tokenFile: string | undefined;
  /** Plural, singular, short name or kind, optionally with its group: `po`, `deployments.apps`. */
  readonly resource: string;
  /** Undefined = all namespaces. */
  readonly namespace: string | undefined;
  /** Undefined = until Ctrl-C. */
  readonly seconds: number | undefined;
  /** Whether a real cluster is only watched. */
  readonly readOnly: boolean;
  /** Seed of the simulated changes. */
  readonly seed: number;
}

/** A mistake in the command line. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}

/** The text of `--help`. */
export const usage = `Usage: npx @listwatch/demo [options]

Starts a fake API server on a free loopback port, simulates a small cluster in
it, and runs a shared informer on it over HTTP.

  --context NAME     use the cluster of this context of the kubeconfig instead
                     (KUBECONFIG, else ~/.kube/config)
  --server URL       use this API server instead (for example kubectl proxy, then
                     --server http://127.0.0.1:8001)
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

Keys: d drop the connection, c compact history (410), s a storm of 429, l latency,
h a slow handler, b burst, m 50,000 objects, p pause, ? help, q quit. c, s and m
work on the demo's own cluster only. After each fault the demo compares the cache
with the server. Without a terminal it prints a line for each event and a summary
at the end. The exit code is 1 when the server has never answered, 2 after a
mistake in the command line, and 0 otherwise.`;

const options = {
  context: { type: "string" },
  server: { type: "string" },
  "token-file": { type: "string" },
  "read-only": { type: "boolean" },
  resource: { type: "string" },
  namespace: { type: "string" },
  seconds: { type: "string" },
  seed: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

// A timer takes at most 2^31 - 1 milliseconds, which is 24 days.
const mostSeconds = 2_147_483;

/**
 * Reads the command line.
 *
 * @returns undefined if the user asked for help
 * @throws {UsageError} if something cannot be used
 */
export function parseArguments(args: readonly string[]): DemoArguments | undefined {
  const { positionals, values } = parse(args);
  if (values.help === true) return undefined;
  check(positionals.length === 0, `expected no arguments, got ${positionals.length} arguments`);
  const { context, server, resource = "pods", namespace } = values;
  const { "read-only": readOnly = false, "token-file": tokenFile } = values;
  check(
    context === undefined || server === undefined,
    "--context and --server: expected one of them",
  );
  check(context !== "", "--context: expected the name of a context, got none");
  if (server !== undefined) checkServer(server);
  const isGiven = context !== undefined || server !== undefined;
  check(!readOnly || isGiven, "--read-only needs --context or --server");
  check(tokenFile === undefined || server !== undefined, "--token-file needs --server");
  if (tokenFile !== undefined) checkToken(tokenFile);
  check(
    /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)*$/i.test(resource),
    `--resource: expected a name such as pods or deployments.apps, got "${resource}"`,
  );
  check(
    namespace === undefined || /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(namespace),
    `--namespace: expected a name, got "${namespace}"`,
  );
  const seconds = positiveNumber("--seconds", values.seconds, mostSeconds);
  const seed = positiveNumber("--seed", values.seed) ?? 1;
  return { context, server, tokenFile, readOnly, resource, namespace, seconds, seed };
}

/** The token in a file, without the line break at its end. */
export function readToken(file: string): string {
  return readFileSync(file, "utf8").trim();
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    // Only the first sentence is about the mistake; advice about "--" follows it.
    const [sentence = ""] = String(error instanceof Error ? error.message : error).split(". ");
    throw new UsageError(sentence, { cause: error });
  }
}

function check(isRight: boolean, message: string): void {
  if (!isRight) throw new UsageError(message);
}

function checkServer(server: string): void {
  const url = URL.canParse(server) ? new URL(server) : undefined;
  check(
    url?.protocol === "http:" || url?.protocol === "https:",
    `--server: expected a URL such as http://127.0.0.1:8001, got "${server}"`,
  );
  check(
    url?.username === "" && url.password === "",
    "--server: expected a URL without a user and password in it",
  );
}

function checkToken(file: string): void {
  let token: string;
  try {
    token = readToken(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--token-file: cannot read the file: ${reason}`, { cause: error });
  }
  check(token !== "", `--token-file: "${file}" is empty`);
}

function positiveNumber(
  option: string,
  text: string | undefined,
  most: number = Number.MAX_VALUE,
): number | undefined {
  if (text === undefined) return undefined;
  const value = text.trim() === "" ? Number.NaN : Number(text);
  check(value > 0 && Number.isFinite(value), `${option}: expected a number above 0, got "${text}"`);
  check(value <= most, `${option}: expected at most ${most}, got "${text}"`);
  return value;
}

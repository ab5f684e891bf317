import { readFileSync } from "node:fs";
import { clusterOptions, parseCommand } from "./node-arguments.ts";
import { UsageError } from "./node-usage-error.ts";

/** What the user asked for on the command line. */
export interface DemoArguments {
  /** Context of the kubeconfig; with neither it nor a server the demo has a cluster of its own. */
  readonly context: string | undefined;
  /** Base URL of an API server. */
  readonly server: string | undefined;
  /**
   * File with a bearer token, read again for every request, because tokens in a cluster are
   * rotated.
   */
  readonly tokenFile: string | undefined;
  /** Plural, singular, short name or kind, maybe with its group: `po`, `deployments.apps`. */
  readonly resource: string;
  /** Undefined = all namespaces. */
  readonly namespace: string | undefined;
  /** Undefined = until Ctrl-C. */
  readonly seconds: number | undefined;
  /** Whether a real cluster is only watched. */
  readonly readOnly: boolean;
  /** Seed of what happens in the simulated cluster, or in the namespace on a real one. */
  readonly seed: number;
}

// A timer takes no more milliseconds than 2^31 - 1, which is 24 days.
const mostSeconds = 2_147_483;

const usage = `Usage: listwatch demo [options]

Starts a fake API server on a free loopback port, simulates a small cluster in
it, and runs a shared informer on it over HTTP.

  --context NAME     use the cluster of this context of the kubeconfig instead
                     (KUBECONFIG, else ~/.kube/config)
  --server URL       use this API server instead (for one: kubectl proxy, then
                     --server http://127.0.0.1:8001)
  --token-file FILE  send the bearer token in FILE with every request to --server
  --read-only        make nothing on that cluster, only watch
  --resource NAME    what to watch, by plural, singular, short name or kind: pods,
                     cm, Deployment, deployments.apps (default pods)
  --namespace NAME   only this namespace (default all)
  --seconds N        end after N seconds (default: until Ctrl-C)
  --seed N           seed of what happens (default 1)
  --help             show this text

On a cluster of yours it watches what there is. While it watches pods of all
namespaces, it makes a namespace listwatch-demo-... with pods that no scheduler
takes, and deletes it at the end, also after Ctrl-C.

Keys: d drop the connection, c compact history (410), s a storm of 429, l latency,
h a slow handler, b burst, m 50,000 objects, p pause, ? help, q quit. c, s and m work on
the demo's own cluster alone. After each the demo compares the cache with the server.
Without a terminal (piped), prints one line per event and a summary at the end.
It ends with 1 when the server has never answered, with 2 after a mistake in the command
line, and with 0 otherwise.`;

const options = {
  ...clusterOptions,
  "read-only": { type: "boolean" },
  "token-file": { type: "string" },
  resource: { type: "string" },
  namespace: { type: "string" },
  seconds: { type: "string" },
  seed: { type: "string" },
} as const;

/**
 * Reads the command line.
 *
 * @returns undefined if the user asked for help, which is then printed
 * @throws {UsageError} if something cannot be used
 */
export function parseArguments(args: readonly string[]): DemoArguments | undefined {
  const parsed = parseCommand(args, { usage, options });
  if (parsed === undefined) return undefined;
  const { context, server, resource = "pods", namespace, seconds, seed } = parsed.values;
  const { "read-only": readOnly = false, "token-file": tokenFile } = parsed.values;
  if (context === "") throw usageError("--context: expected the name of a context, got none");
  if (server !== undefined) checkServer(server);
  if (readOnly && context === undefined && server === undefined) {
    throw usageError("--read-only needs --context or --server");
  }
  if (tokenFile !== undefined) {
    if (server === undefined) throw usageError("--token-file needs --server");
    checkToken(tokenFile);
  }
  if (!/^[a-z][a-z0-9-]*(\.[a-z0-9-]+)*$/i.test(resource)) {
    throw usageError(
      `--resource: expected a name such as pods or deployments.apps, got "${resource}"`,
    );
  }
  if (namespace !== undefined && !/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(namespace)) {
    throw usageError(`--namespace: expected the name of a namespace, got "${namespace}"`);
  }
  return {
    context,
    server,
    tokenFile,
    readOnly,
    resource,
    namespace,
    seconds: positiveNumber("--seconds", seconds, mostSeconds),
    seed: positiveNumber("--seed", seed) ?? 1,
  };
}

function checkServer(server: string): void {
  const url = URL.parse(server);
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw usageError(`--server: expected a URL such as http://127.0.0.1:8001, got "${server}"`);
  }
  if (url.username !== "" || url.password !== "") {
    throw usageError("--server: expected a URL without a user and password in it");
  }
}

function checkToken(file: string): void {
  let token: string;
  try {
    token = readToken(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw usageError(`--token-file: couldn't read the file: ${reason}`, { cause: error });
  }
  if (token === "") throw usageError(`--token-file: "${file}" is empty`);
}

/** The token in a file, without the line break at its end. */
export function readToken(file: string): string {
  return readFileSync(file, "utf8").trim();
}

function positiveNumber(
  option: string,
  text: string | undefined,
  most: number = Number.MAX_VALUE,
): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || value <= 0) {
    throw usageError(`${option}: expected a number above 0, got "${text}"`);
  }
  if (value > most) throw usageError(`${option}: expected at most ${most}, got "${text}"`);
  return value;
}

function usageError(message: string, about?: ErrorOptions): UsageError {
  return new UsageError(message, usage, about);
}

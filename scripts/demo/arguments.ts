import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

/** What the user asked for on the command line. */
export interface DemoArguments {
  /** Base URL of an API server; undefined = start a fake one with a simulated cluster. */
  readonly server: string | undefined;
  /**
   * File with a bearer token, read again for every request, because tokens in a cluster are
   * rotated.
   */
  readonly tokenFile: string | undefined;
  /** `pods`, or with its group `deployments.apps`. */
  readonly resource: string;
  /** Undefined = all namespaces. */
  readonly namespace: string | undefined;
  /** Undefined = until Ctrl-C. */
  readonly seconds: number | undefined;
  /** Seed of the simulated cluster. */
  readonly seed: number;
}

// A timer takes no more milliseconds than 2^31 - 1, which is 24 days.
const mostSeconds = 2_147_483;

/** Something on the command line cannot be used; the message is one line for the user. */
export class ArgumentError extends Error {
  override readonly name = "ArgumentError";
}

export const usage = `Usage: npm start -- [options]

Without --server, starts a fake API server on a free loopback port, simulates a
small cluster in it, and runs a shared informer on it over HTTP.

  --server URL       use this API server instead (for one: kubectl proxy, then
                     --server http://127.0.0.1:8001)
  --token-file FILE  send the bearer token in FILE with every request
  --resource NAME    what to watch: pods, configmaps, deployments.apps (default pods)
  --namespace NAME   only this namespace (default all)
  --seconds N        end after N seconds (default: until Ctrl-C)
  --seed N           seed of the simulated cluster (default 1)
  --help             show this text

Keys in the live view: d drop the connection, c compact history (410), b burst, q quit.
Without a terminal (piped), prints one line per event and a summary at the end.`;

/**
 * Reads the command line.
 *
 * @returns undefined if the user asked for help
 * @throws {ArgumentError} if something cannot be used
 */
export function parseArguments(args: readonly string[]): DemoArguments | undefined {
  const values = parse(args);
  if (values.help === true) return undefined;
  const { server, resource = "pods", namespace } = values;
  const tokenFile = values["token-file"];
  if (server !== undefined) checkServer(server);
  if (tokenFile !== undefined) {
    if (server === undefined) throw new ArgumentError("--token-file needs --server");
    checkToken(tokenFile);
  }
  if (!/^[a-z][a-z0-9-]*(\.[a-z0-9-]+)*$/.test(resource)) {
    throw new ArgumentError(
      `--resource: expected a name such as pods or deployments.apps, got "${resource}"`,
    );
  }
  if (namespace !== undefined && !/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(namespace)) {
    throw new ArgumentError(`--namespace: expected the name of a namespace, got "${namespace}"`);
  }
  return {
    server,
    tokenFile,
    resource,
    namespace,
    seconds: positiveNumber("--seconds", values.seconds, mostSeconds),
    seed: positiveNumber("--seed", values.seed) ?? 1,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        server: { type: "string" },
        "token-file": { type: "string" },
        resource: { type: "string" },
        namespace: { type: "string" },
        seconds: { type: "string" },
        seed: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    }).values;
  } catch (error) {
    // The first sentence says what is wrong; what follows it is advice about "--".
    const message = error instanceof Error ? error.message : String(error);
    throw new ArgumentError(message.split(". ")[0] ?? message, { cause: error });
  }
}

function checkServer(server: string): void {
  const url = URL.parse(server);
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw new ArgumentError(
      `--server: expected a URL such as http://127.0.0.1:8001, got "${server}"`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new ArgumentError("--server: expected a URL without a user and password in it");
  }
}

function checkToken(file: string): void {
  let token: string;
  try {
    token = readToken(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ArgumentError(`--token-file: couldn't read the file: ${reason}`, { cause: error });
  }
  if (token === "") throw new ArgumentError(`--token-file: "${file}" is empty`);
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
    throw new ArgumentError(`${option}: expected a number above 0, got "${text}"`);
  }
  if (value > most) throw new ArgumentError(`${option}: expected at most ${most}, got "${text}"`);
  return value;
}

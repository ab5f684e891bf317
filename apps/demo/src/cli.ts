#!/usr/bin/env node
// The command `listwatch-demo`. It loads the layers and the fake API server only when the command
// line is right, and after it has begun to read keys.
import { errorMessage, parseArguments, readToken, usage, UsageError } from "./arguments.ts";
import type { DemoArguments } from "./arguments.ts";
import type { Surroundings } from "./run-demo.ts";
import { Terminal } from "./terminal.ts";

async function main(): Promise<void> {
  const options = parseArguments(process.argv.slice(2));
  if (options === undefined) return console.log(usage);
  // On an older Node this throws, with the versions that work.
  if (!("withResolvers" in Promise)) await import("listwatch");
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  process.once("SIGINT", abort).once("SIGTERM", abort).once("SIGHUP", abort);
  // The reader of a pipe has gone.
  process.stdout.on("error", abort);
  const terminal = new Terminal(process);
  process.once("exit", () => terminal.close());
  terminal.open();
  try {
    const { runDemo } = await import("./run-demo.ts");
    const { sleep, systemClock: clock } = await import("listwatch");
    const { signal } = stop;
    if (options.timeMs !== undefined) void sleep(options.timeMs, { signal }).then(abort, abort);
    const failures = await runDemo(options, { clock, terminal, stop, connect: connect(options) });
    for (const failure of failures) console.error(`listwatch-demo: ${failure}`);
    process.exitCode = failures.length === 0 ? 0 : 1;
  } finally {
    stop.abort();
    terminal.close();
  }
}

/** Connects over the network. */
function connect({ context, server, tokenFile }: DemoArguments): Surroundings["connect"] {
  return async (own) => {
    const { createConnection } = await import("listwatch");
    if (own !== undefined) {
      const { listen } = await import("listwatch/fake-apiserver/node");
      const listener = await listen(own);
      return disposable(createConnection({ server: listener.url }), () => listener.close());
    }
    if (server === undefined) {
      const { connect: connectToCluster } = await import("listwatch/node");
      return connectToCluster({ context, program: "listwatch-demo" });
    }
    const headers = (): Record<string, string> =>
      tokenFile === undefined ? {} : { authorization: `Bearer ${readToken(tokenFile)}` };
    try {
      return disposable(createConnection({ server, headers }));
    } catch (error) {
      throw new UsageError(errorMessage(error), { cause: error });
    }
  };
}

function disposable<T extends object>(value: T, dispose = async () => {}): T & AsyncDisposable {
  return Object.assign(value, { [Symbol.asyncDispose]: dispose });
}

try {
  await main();
} catch (error) {
  console.error(`listwatch-demo: ${errorMessage(error)}`);
  if (error instanceof UsageError) console.error(`\n${usage}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

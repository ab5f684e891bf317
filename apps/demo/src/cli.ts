#!/usr/bin/env node
// The command `listwatch-demo`. It loads the layers and the fake API server only when the command
// line is right, so that the help does not wait for them.
import { parseArguments, usage, UsageError } from "./arguments.ts";

try {
  const options = parseArguments(process.argv.slice(2));
  if (options === undefined) console.log(usage);
  else await (await import("./run-demo.ts")).runDemo(options);
} catch (error) {
  console.error(`listwatch-demo: ${error instanceof Error ? error.message : String(error)}`);
  if (error instanceof UsageError) console.error(`\n${usage}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

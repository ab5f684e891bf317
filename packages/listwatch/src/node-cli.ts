#!/usr/bin/env node
// The command `listwatch`. Each subcommand is loaded on demand, so that its first output does not
// wait for the others.
import { readFileSync } from "node:fs";
import { UsageError } from "./commands/node-usage-error.ts";

interface Command {
  /** Arguments after the name, for the usage. */
  readonly takes: string;
  readonly does: string;
  load(): Promise<(args: readonly string[]) => Promise<void>>;
}

const commands: Readonly<Record<string, Command>> = {
  watch: {
    takes: "RESOURCE [NAME]",
    does: "print the changes of objects in a cluster, until Ctrl-C",
    load: async () => (await import("./commands/node-watch.ts")).watch,
  },
  doctor: {
    takes: "[RESOURCE]",
    does: "find what prevents an informer from working on a cluster, and suggest remedies",
    load: async () => (await import("./commands/node-doctor.ts")).doctor,
  },
  fake: {
    takes: "[-- COMMAND]",
    does: "start a fake API server on this machine, until Ctrl-C or the end of a command",
    load: async () => (await import("./commands/node-fake.ts")).fake,
  },
  record: {
    takes: "RESOURCE...",
    does: "write the objects of a cluster and their changes to a file",
    load: async () => (await import("./commands/node-record.ts")).record,
  },
  diff: {
    takes: "FILE",
    does: "compare moments of a recording, or print the timeline of an object",
    load: async () => (await import("./commands/node-diff.ts")).diff,
  },
  rbac: {
    takes: "-- COMMAND...",
    does: "write the roles that a program needs, from the requests of its tests",
    load: async () => (await import("./commands/node-rbac.ts")).rbac,
  },
  generate: {
    takes: "FILE...",
    does: "write TypeScript for custom resources, from files or from a cluster",
    load: async () => (await import("./commands/node-generate.ts")).generate,
  },
};

async function run([name, ...args]: readonly string[]): Promise<void> {
  if (name === "help" && args[0] !== undefined) return run([args[0], "--help"]);
  if (name === "--help" || name === "-h" || name === "help") return console.log(usage());
  if (name === "--version") return console.log(version());
  if (name === "demo") {
    console.error("listwatch: the demo is a separate package: npx @listwatch/demo");
    process.exitCode = 2;
    return;
  }
  const command = Object.hasOwn(commands, name ?? "") ? commands[name ?? ""] : undefined;
  if (command !== undefined) {
    // This import names the supported runtimes. Commands import more than
    // those have.
    if (!("withResolvers" in Promise)) await import("@listwatch/core-fifo/base");
    return (await command.load())(args);
  }
  const what = name === undefined ? "expected a command" : `there is no command "${name}"`;
  throw new UsageError(what, usage());
}

function usage(): string {
  const lines = Object.entries(commands).map(
    ([name, { does, takes }]) => `  ${`${name} ${takes}`.padEnd(22)} ${does}`,
  );
  return `Usage: listwatch COMMAND [options]

${lines.join("\n")}

listwatch help COMMAND describes a command, listwatch --version prints the version.`;
}

/** Returns the version of this package. */
function version(): string {
  const file = new URL("../package.json", import.meta.url);
  const manifest: { readonly version: string } = JSON.parse(readFileSync(file, "utf8"));
  return manifest.version;
}

// `listwatch watch pods | head -1` ends without an error, like every command in a closed pipe.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});

try {
  await run(process.argv.slice(2));
} catch (error) {
  console.error(`listwatch: ${error instanceof Error ? error.message : String(error)}`);
  if (error instanceof UsageError) console.error(`\n${error.usage}`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

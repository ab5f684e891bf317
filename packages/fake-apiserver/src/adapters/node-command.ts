/**
 * The fake API server as a command, for packages that have it among their own commands.
 *
 * @module
 */
import { readArguments, UsageError, usageOf } from "./node-arguments.ts";

/**
 * Runs the command: starts a fake API server that runs until Ctrl-C, or prints how it is used. What
 * fails it says on the error output, in one line that begins with its name; the exit code is then
 * 1, and 2 after a mistake in the arguments.
 *
 * @param name how the command is called: `fake-apiserver`
 * @param args what stands after the name
 */
export async function runCommand(name: string, args: readonly string[]): Promise<void> {
  try {
    const options = readArguments(args);
    if (options.help) {
      console.log(usageOf(name));
      return;
    }
    // Loaded when it is needed, so that neither help nor a mistake waits for the server.
    const { serve } = await import("./node-serve.ts");
    await serve(options);
  } catch (error) {
    // A load reports each refused object in a line.
    console.error(explain(error).replaceAll(/^/gm, `${name}: `));
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ("code" in error && "address" in error && "port" in error) {
    const where = `${String(error.address)}:${String(error.port)}`;
    if (error.code === "EADDRINUSE") return `Cannot listen on ${where}: the port is taken`;
    return `Cannot listen on ${where}: ${String(error.code)}`;
  }
  return error.message;
}

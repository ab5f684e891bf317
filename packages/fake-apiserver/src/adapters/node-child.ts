import { spawn } from "node:child_process";
import { constants } from "node:os";

const passedSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
// Shells report a command that they cannot find in this way.
const notFoundCode = 127;

/**
 * Runs a command with the streams of this process and further variables. Signals to this process
 * are handed on.
 *
 * @returns its exit code; 128 and the number of the signal that ended it, as in a shell
 */
export async function runChild(
  [program = "", ...args]: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<number> {
  const env = { ...process.env, ...variables };
  // Programs such as npm are scripts on Windows.
  const shell = process.platform === "win32";
  const child = spawn(program, args, { stdio: "inherit", env, shell });
  const handOn = (signal: NodeJS.Signals): void => {
    // A terminal sends Ctrl-C to the command, too.
    const isFromTerminal = signal === "SIGINT" && process.stdin.isTTY;
    if (!isFromTerminal) child.kill(signal);
  };
  for (const signal of passedSignals) process.on(signal, handOn);
  try {
    return await new Promise((resolve) => {
      child.once("error", (error) => {
        console.error(`Cannot run ${program}: ${error.message}`);
        resolve(notFoundCode);
      });
      child.once("exit", (code, signal) => {
        resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
      });
    });
  } finally {
    for (const signal of passedSignals) process.off(signal, handOn);
  }
}

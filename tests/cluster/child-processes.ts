import type { ChildProcess } from "node:child_process";

const running = new Set<ChildProcess>();

process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/**
 * Kills a child when this program exits. SIGKILL prevents that, so it should be sent to the whole
 * process group.
 */
export function endWithProgram(child: ChildProcess): void {
  running.add(child);
  child.once("exit", () => running.delete(child)).once("error", () => running.delete(child));
}

import type { ChildProcess } from "node:child_process";

const running = new Set<ChildProcess>();

process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/**
 * Sees to it that a child does not outlive this program, however that ends; only SIGKILL leaves it
 * no time, and then the signal should go to the whole group.
 */
export function endWithProgram(child: ChildProcess): void {
  running.add(child);
  child.once("exit", () => running.delete(child)).once("error", () => running.delete(child));
}

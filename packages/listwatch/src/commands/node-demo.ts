import { parseArguments } from "./node-demo-arguments.ts";

/** `listwatch demo`: an informer on a cluster, live. */
export async function demo(args: readonly string[]): Promise<void> {
  const options = parseArguments(args);
  if (options === undefined) return;
  // The help waits for no layer and no fake API server.
  const { runDemo } = await import("./node-run-demo.ts");
  await runDemo(options);
}

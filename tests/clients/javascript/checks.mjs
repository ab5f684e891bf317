import { setTimeout as sleep } from "node:timers/promises";

// No check needs more than a few round trips to a server on the same machine.
const timeoutMs = 30_000;

/** Runs one check and prints its line. */
export async function check(name, run) {
  try {
    await run();
    console.log(`ok   ${name}`);
  } catch (error) {
    console.log(`FAIL ${name}: ${String(error).replaceAll("\n", " ")}`);
  }
}

/** Waits for a condition, and throws with its name at the time limit. */
export async function until(what, isTrue) {
  const end = Date.now() + timeoutMs;
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error(`${what} did not happen in time`);
    await sleep(10);
  }
}

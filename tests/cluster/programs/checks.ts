import { describeValue } from "@listwatch/core-fifo/base";

const usualLimitMs = 60_000;

/** Runs a check and prints a line with its result, which the runner counts. */
export async function check(
  name: string,
  run: () => Promise<void>,
  limitMs: number = usualLimitMs,
): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${limitMs / 1000} s`)), limitMs);
  });
  try {
    await Promise.race([run(), limit]);
    console.log(`ok   ${name}`);
  } catch (error) {
    console.log(`FAIL ${name}: ${describe(error)}`);
  } finally {
    clearTimeout(timer);
  }
}

export async function failureOf(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
  throw new Error("expected a failure, got none");
}

/** Joins the messages of an error and its causes in one line. */
export function describe(error: unknown): string {
  const messages: string[] = [];
  let one = error;
  for (; one instanceof Error; one = one.cause) messages.push(one.message);
  if (messages.length === 0) messages.push(describeValue(error));
  return messages.join(" <- ").replaceAll(/\s*\n\s*/g, " ");
}

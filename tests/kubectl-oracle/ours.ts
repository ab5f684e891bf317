// Connects as each line of the input says, on the runtime that runs this program, and prints how
// that ended. `run.ts` compares it with kubectl.
import { createInterface } from "node:readline";
import { connect } from "listwatch/node";
import { describeError } from "@listwatch/core-fifo/base";
import type { Situation } from "./situation.ts";

/** Result of one attempt, as one line of JSON. */
export interface Attempt {
  readonly hasSucceeded: boolean;
  readonly message: string;
}

async function attempt({ context, cwd, environment }: Situation): Promise<Attempt> {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
  process.chdir(cwd);
  try {
    const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
    await using connection = await connect({ context, log });
    const response = await connection.fetch(new Request(`${connection.server}/version`));
    await response.text();
    return { hasSucceeded: response.ok, message: String(response.status) };
  } catch (error) {
    return { hasSucceeded: false, message: messages(error).join(": ") };
  }
}

function ignore(): void {}

function messages(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  return [describeError(error), ...(error.cause === undefined ? [] : messages(error.cause))];
}

for await (const line of createInterface({ input: process.stdin })) {
  const situation = JSON.parse(line) as Situation;
  console.log(JSON.stringify(await attempt(situation)));
}

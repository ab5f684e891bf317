import { resolve } from "node:path";

const bin = resolve(import.meta.dirname, "../../node_modules/.bin");
const condition = "--conditions=@listwatch/source";

/** The command of each runtime for a program of the repository. */
export const runtimes: Readonly<Record<string, readonly string[]>> = {
  node: [process.execPath, condition],
  deno: [`${bin}/deno`, "run", "-A", "--no-lock", condition],
  bun: [`${bin}/bun`, condition],
};

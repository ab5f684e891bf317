import { runCommand } from "@listwatch/fake-apiserver/command";

/** Runs `listwatch fake`: the fake API server with the options of `npx @listwatch/fake-apiserver`. */
export function fake(args: readonly string[]): Promise<void> {
  return runCommand("listwatch fake", args);
}

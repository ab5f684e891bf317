import { isRecord } from "@listwatch/core-fifo/base";

/** The members of `process` that a manager uses. Node, Deno and Bun have them, pages do not. */
export interface Process {
  exitCode?: number | string | null | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stderr?:
    | {
        readonly isTTY?: boolean | undefined;
        on?(event: "error", listener: (error: unknown) => void): unknown;
      }
    | undefined;
  on(event: string, listener: (value: unknown) => void): unknown;
  off(event: string, listener: (value: unknown) => void): unknown;
  exit(code: number): never;
  getBuiltinModule?(name: string): unknown;
}

/** Returns the process of the runtime; `undefined` in browsers and workers. */
export function findProcess(): Process | undefined {
  const found: unknown = Reflect.get(globalThis, "process");
  return isProcess(found) ? found : undefined;
}

/** Bundlers of pages replace `process` by an object without an end. */
function isProcess(value: unknown): value is Process {
  return (
    isRecord(value) &&
    ["exit", "off", "on"].every((name) => typeof Reflect.get(value, name) === "function")
  );
}

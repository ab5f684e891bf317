import { recordOf } from "@listwatch/core-fifo/base";

/**
 * Returns the lines of a file, on Node, Deno and Bun.
 *
 * @throws {TypeError} on a runtime without files
 */
export function readLines(file: string): readonly string[] {
  return readText(file).split("\n");
}

/**
 * Returns the text of a file, on Node, Deno and Bun.
 *
 * @throws {TypeError} on a runtime without files
 */
export function readText(file: string): string {
  const text = fileReader()(file, "utf8");
  return typeof text === "string" ? text : "";
}

/** Returns `readFileSync` of the runtime. The package is also imported where there are no files. */
function fileReader(): (file: string, encoding: string) => unknown {
  const process: unknown = Reflect.get(globalThis, "process");
  const load: unknown = recordOf(process)["getBuiltinModule"];
  const files: unknown = typeof load === "function" ? load("node:fs") : undefined;
  const read: unknown = recordOf(files)["readFileSync"];
  if (typeof read === "function") return (...args) => Reflect.apply(read, files, args);
  throw new TypeError("Cannot read a file on this runtime: expected Node, Deno or Bun");
}

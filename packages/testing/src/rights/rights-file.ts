import { recordOf } from "@listwatch/core-fifo/base";

/** Variable with the file that the rights of programs are added to. Set by `listwatch rbac`. */
const variable = "LISTWATCH_RIGHTS_FILE";

/** Lines that this process has written, so that 500 seeds write each one once. */
const written = new Set<string>();

/** Whether the rights of programs are recorded in this process. */
export function isRecording(): boolean {
  return fileName() !== undefined;
}

/** Adds lines to the file; each line once. */
export function addLines(lines: readonly string[]): void {
  const file = fileName();
  const fresh = lines.filter((line) => !written.has(line));
  if (file === undefined || fresh.length === 0) return;
  for (const line of fresh) written.add(line);
  const { getBuiltinModule } = recordOf(processOf());
  const files: unknown =
    typeof getBuiltinModule === "function" ? getBuiltinModule("node:fs") : undefined;
  const append: unknown = recordOf(files)["appendFileSync"];
  // Processes of a test runner add to one file: a short line is written at once.
  if (typeof append === "function") append(file, fresh.map((line) => `${line}\n`).join(""));
}

function fileName(): string | undefined {
  try {
    const name = recordOf(recordOf(processOf())["env"])[variable];
    return typeof name === "string" && name !== "" ? name : undefined;
  } catch {
    // Deno without the permission to read variables.
    return undefined;
  }
}

function processOf(): unknown {
  return Reflect.get(globalThis, "process");
}

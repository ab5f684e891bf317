import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";

/** An input that once showed a fault. */
export interface KnownCase {
  /** Description of the fault. */
  readonly fault: string;
  readonly input: unknown;
  /** Reason why it still shows the fault; absent when it is fixed. */
  readonly open?: string;
}

const folder = join(import.meta.dirname, "cases");

/** Returns the cases of a target, by file name. */
export async function readCases(
  target: string,
): Promise<readonly (readonly [string, KnownCase])[]> {
  const files = existsSync(join(folder, target)) ? await readdir(join(folder, target)) : [];
  return Promise.all(
    files.toSorted().map(async (file): Promise<readonly [string, KnownCase]> => {
      const text = await readFile(join(folder, target, file), "utf8");
      return [file, JSON.parse(text) as KnownCase];
    }),
  );
}

/** Saves a case, and returns its file name. */
export async function keepCase(target: string, { fault, input }: KnownCase): Promise<string> {
  const text = `${JSON.stringify({ fault, input }, null, 2)}\n`;
  const name = createHash("sha256")
    .update(JSON.stringify(input) ?? "")
    .digest("hex")
    .slice(0, 12);
  await mkdir(join(folder, target), { recursive: true });
  const file = join(folder, target, `${name}.json`);
  await writeFile(file, text);
  return relative(process.cwd(), file);
}

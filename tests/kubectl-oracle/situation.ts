import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { OracleCase } from "./oracle-case.ts";

/** A case on this machine: the same files, folder and environment for each program. */
export interface Situation {
  readonly folder: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly context: string | undefined;
}

/** Writes the files of a case. */
export function prepare(example: OracleCase, folder: string): Situation {
  const place = (text: string): string => text.replaceAll("$DIR", folder);
  mkdirSync(join(folder, "home"), { recursive: true });
  for (const [path, content] of Object.entries(example.files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? place(content) : content);
  }
  for (const path of example.programs ?? []) chmodSync(join(folder, path), 0o755);
  for (const [path, target] of Object.entries(example.links ?? {})) {
    symlinkSync(target, join(folder, path));
  }
  const given = { KUBECONFIG: "$DIR/config", ...example.env };
  const environment = {
    HOME: join(folder, "home"),
    PATH: "/usr/bin:/bin",
    RECORD: join(folder, "record"),
    ...Object.fromEntries(Object.entries(given).map(([name, value]) => [name, place(value)])),
    ...(example.kubeconfig === undefined ? {} : { KUBECONFIG: place(example.kubeconfig) }),
  };
  return { folder, cwd: join(folder, example.cwd ?? "."), environment, context: example.context };
}

/** Makes an empty folder for what a plugin records. */
export function clearRecord({ folder }: Situation): void {
  rmSync(join(folder, "record"), { recursive: true, force: true });
  mkdirSync(join(folder, "record"));
}

/** Returns what a plugin has received, by name; `{}` if none has run. */
export function readRecord({ folder }: Situation): Readonly<Record<string, string>> {
  const record = join(folder, "record");
  if (!existsSync(record)) return {};
  const names = readdirSync(record).toSorted();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(record, name), "utf8")]));
}

/**
 * Checks which settings of `module` find the packages and their types: the table of the page
 * "Versioning and support".
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** A compiler's version, such as 5.7, and the path of its program. */
export type Compiler = readonly [version: string, program: string];

interface Setting {
  readonly name: string;
  readonly file: "module.mts" | "common.cts";
  readonly compilerOptions: Readonly<Record<string, string>>;
  /** The first version that supports it; undefined if none does. */
  readonly since?: string;
}

const settings: readonly Setting[] = [
  { name: "nodenext", file: "module.mts", compilerOptions: { module: "nodenext" }, since: "5.7" },
  { name: "node16", file: "module.mts", compilerOptions: { module: "node16" }, since: "5.7" },
  {
    name: "bundler",
    file: "module.mts",
    compilerOptions: { module: "preserve", moduleResolution: "bundler" },
    since: "5.7",
  },
  {
    name: "nodenext, CommonJS",
    file: "common.cts",
    compilerOptions: { module: "nodenext" },
    since: "5.8",
  },
  { name: "node16, CommonJS", file: "common.cts", compilerOptions: { module: "node16" } },
  {
    name: "node10",
    file: "module.mts",
    compilerOptions: { module: "esnext", moduleResolution: "node10" },
  },
];

const program = `import { RealFIFO } from "@listwatch/core-fifo";
import { isInCluster } from "@listwatch/client/node";
new RealFIFO<{ name: string }>().add({ name: String(isInCluster()) });
`;

/** Checks each setting with a compiler; returns the expectations and their problems. */
export function checkSettings([version, compiler]: Compiler): readonly {
  readonly what: string;
  readonly problem: string | undefined;
}[] {
  const folder = resolve("test-results/types/modules");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const file of ["module.mts", "common.cts"]) writeFileSync(join(folder, file), program);
  return settings.map(({ name, file, compilerOptions, since }) => {
    const config = join(folder, "tsconfig.json");
    const common = {
      strict: true,
      skipLibCheck: true,
      target: "es2023",
      types: ["node"],
      noEmit: true,
    };
    const options = { ...common, lib: ["es2023", "esnext.disposable"], ...compilerOptions };
    writeFileSync(config, JSON.stringify({ compilerOptions: options, files: [file] }));
    const { status, stdout } = spawnSync(process.execPath, [compiler, "-p", config], {
      encoding: "utf8",
    });
    const isTaken = since !== undefined && Number(version) >= Number(since);
    const what = `module ${name}: ${isTaken ? "compiles" : "is refused"}`;
    if ((status === 0) === isTaken) return { what, problem: undefined };
    return { what, problem: isTaken ? stdout : "expected an error, got none" };
  });
}

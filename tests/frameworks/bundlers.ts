import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const folder = join(import.meta.dirname, "bundlers");
const bin = join(import.meta.dirname, "../../node_modules/.bin");
const program = "print-pods.ts";
const expected = "default/web-0\n";
const run = promisify(execFile);

/** A bundler that makes `print-pods.ts` and its imports into one program for Node. */
interface Bundler {
  readonly name: string;
  /** Returns the command; `to` is the output folder. */
  readonly command: (to: string) => readonly string[];
  /** The program in that folder. */
  readonly file: string;
}

function esbuild(to: string, file: string, format: string): readonly string[] {
  const flags = ["--bundle", "--platform=node", `--format=${format}`, `--outfile=${to}/${file}`];
  return [join(bin, "esbuild"), program, ...flags];
}

const bundlers: readonly Bundler[] = [
  {
    name: "esbuild, ES module",
    command: (to) => esbuild(to, "esbuild.mjs", "esm"),
    file: "esbuild.mjs",
  },
  {
    name: "esbuild, CommonJS",
    command: (to) => esbuild(to, "esbuild.cjs", "cjs"),
    file: "esbuild.cjs",
  },
  {
    name: "Vite",
    command: (to) => [join(bin, "vite"), "build", "--ssr", program, "--outDir", `${to}/vite`],
    file: "vite/print-pods.js",
  },
  {
    name: "Rolldown",
    command: (to) => [join(bin, "rolldown"), program, "--platform", "node", "--dir", `${to}/own`],
    file: "own/print-pods.js",
  },
  {
    name: "bun build",
    command: (to) => [
      ...[join(bin, "bun"), "build", program, "--target", "node"],
      ...["--outfile", `${to}/bun.mjs`],
    ],
    file: "bun.mjs",
  },
];

/**
 * Bundles a program that connects with a kubeconfig and lists pods, with each bundler, and runs the
 * result on Node in a folder without packages. Yields the problem of each bundler; undefined if the
 * program prints the pods.
 */
export async function* tryBundlers(
  kubeconfig: string,
): AsyncGenerator<{ readonly name: string; readonly problem: string | undefined }> {
  const work = mkdtempSync(join(tmpdir(), "listwatch-bundles-"));
  const env = { ...process.env, KUBECONFIG: kubeconfig, NO_COLOR: "1", FORCE_COLOR: undefined };
  for (const { name, command, file } of bundlers) {
    const [bundler = "", ...args] = command(work);
    try {
      await run(bundler, args, { cwd: folder, timeout: 300_000 });
      const options = { cwd: work, env, timeout: 300_000 };
      const { stdout, stderr } = await run(join(bin, "node"), [file], options);
      yield { name, problem: stdout === expected ? undefined : `${stdout}${stderr}` };
    } catch (error) {
      yield { name, problem: String(error) };
    }
  }
  rmSync(work, { recursive: true });
}

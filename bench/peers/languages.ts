import { spawnSync } from "node:child_process";
import { join } from "node:path";
// @boundaries-ignore programs built by tests and benchmarks are kept in one place
import { cacheFolder } from "../../tests/support/cache-folder.ts";

type Command = readonly string[];

/** Commands of the program in one language. */
export interface Language {
  /** Commands that succeed if the language is installed. */
  readonly needs: readonly Command[];
  /** Builds the program with packages from its registry, in the language's folder. */
  readonly build?: Command;
  readonly run: Command;
}

const built = (language: string): string => join(cacheFolder("peers"), language);

/** Ours runs in three runtimes, from the same sources. */
const condition = "--conditions=@listwatch/source";
const javascript = join(import.meta.dirname, "javascript", "peer.ts");
const bin = join(import.meta.dirname, "../../node_modules/.bin");
/** Deno's command starts another process, whose memory would not be measured. */
const { stdout: denoPath } = spawnSync(
  join(bin, "deno"),
  ["eval", "console.log(Deno.execPath())"],
  { encoding: "utf8" },
);
const deno = denoPath.trim();

/**
 * Languages of the informers and runtimes of ours. Those with a build have a folder of their name
 * next to this file.
 */
export const languages = {
  javascript: { needs: [], run: [process.execPath, "--expose-gc", condition, javascript] },
  deno: {
    needs: [[deno, "--version"]],
    run: [deno, "run", "--allow-all", "--no-lock", "--v8-flags=--expose-gc", condition, javascript],
  },
  bun: { needs: [[join(bin, "bun"), "--version"]], run: [join(bin, "bun"), condition, javascript] },
  go: {
    needs: [["go", "version"]],
    build: ["go", "build", "-o", join(built("go"), "peer"), "."],
    run: [join(built("go"), "peer")],
  },
  rust: {
    needs: [["cargo", "--version"]],
    build: ["cargo", "build", "--quiet", "--locked", "--release", "--target-dir", built("rust")],
    run: [join(built("rust"), "release", "peer")],
  },
  java: {
    needs: [
      ["mvn", "--version"],
      ["javac", "--version"],
    ],
    build: [
      "mvn",
      "--quiet",
      "--batch-mode",
      "--no-transfer-progress",
      `-Dbuild=${built("java")}`,
      "process-classes",
    ],
    // The default collector depends on the machine's size.
    run: [
      "java",
      "-XX:+UseG1GC",
      "-cp",
      [join(built("java"), "classes"), join(built("java"), "libraries", "*")].join(":"),
      "example.Peer",
    ],
  },
} satisfies Readonly<Record<string, Language>>;

export type LanguageName = keyof typeof languages;

/** Builds a program, with caches outside of the tree. Returns the reason if it cannot run here. */
export function buildLanguage(name: LanguageName): string | undefined {
  const { build, needs }: Language = languages[name];
  const missing = needs.find(([command = "", ...args]) => spawnSync(command, args).status !== 0);
  if (missing !== undefined) return `not on this machine: ${missing[0]}`;
  if (build === undefined) return undefined;
  console.log(`builds ${name}: ${build.join(" ")}`);
  const [command = "", ...args] = build;
  const cwd = join(import.meta.dirname, name);
  const { status } = spawnSync(command, args, { cwd, stdio: "inherit" });
  if (status === 0) return undefined;
  process.exitCode = 1;
  return "not built, see above";
}

import { spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";

const limitMs = 1_800_000;
const endMs = 60_000;

/** A project that the command has created. */
export class Project {
  /** Name of the project, and of its folder. */
  readonly name: string;
  readonly folder: string;
  readonly #shims: string;
  readonly #seeds: string;

  /**
   * @param root folder of the projects
   * @param shims folder of commands that the project finds first
   */
  constructor(name: string, root: string, shims: string, seeds: string) {
    this.name = name;
    this.folder = join(root, name);
    this.#shims = shims;
    this.#seeds = seeds;
  }

  /** Variables of a command: its path has the given Node, and the programs of the project. */
  environment(node: string): NodeJS.ProcessEnv {
    const own = join(this.folder, "node_modules/.bin");
    const folders = [dirname(node), this.#shims, own, resolve("node_modules/.bin")];
    const path = [...folders, process.env["PATH"]].join(delimiter);
    return { ...process.env, PATH: path, SEEDS: this.#seeds, NODE_OPTIONS: "" };
  }

  /** Runs a command in the project. @throws {Error} with its output if it fails */
  command(line: string, node: string, seeds = this.#seeds): string {
    const env = { ...this.environment(node), SEEDS: seeds };
    const options = { cwd: this.folder, env, encoding: "utf8", shell: true } as const;
    const { status, stdout, stderr } = spawnSync(line, { ...options, timeout: limitMs });
    if (status === 0) return stdout;
    throw new Error(`${line}: exit code ${status}\n${stdout.slice(-3000)}${stderr.slice(-3000)}`);
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), "utf8");
  }

  /** Runs a command that must not change a file. */
  unchanged(line: string, file: string, node: string): void {
    const before = this.read(file);
    // A few seeds use all rights.
    this.command(line, node, String(Math.min(Number(this.#seeds), 5)));
    if (this.read(file) !== before) throw new Error(`${file} has changed`);
  }

  /**
   * Runs a command that does not end, until it has done its work. Then it gets a SIGTERM, and must
   * end with all that it has started.
   */
  async runUntil(
    line: string,
    env: NodeJS.ProcessEnv,
    isDone: (kubeconfig: string) => Promise<void>,
    cwd = this.folder,
  ): Promise<void> {
    const kubeconfig = join(this.folder, "dev.kubeconfig");
    rmSync(kubeconfig, { force: true });
    const child = spawn(line, { cwd, env, shell: true, detached: true });
    const log: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => log.push(text));
    }
    const ended = Promise.withResolvers<void>();
    child.once("close", () => ended.resolve());
    const early = ended.promise.then(() => {
      throw new Error(`the program has ended with the exit code ${child.exitCode}`);
    });
    early.catch(() => {});
    const group = -(child.pid ?? 0);
    try {
      await Promise.race([isDone(kubeconfig), early]);
      // npm and the shell do not pass signals on: the whole group gets it, as from a terminal.
      process.kill(group, "SIGTERM");
      const late = Promise.withResolvers<never>();
      const timer = setTimeout(
        () => late.reject(new Error(`the program runs ${endMs / 1000} s after SIGTERM`)),
        endMs,
      );
      await Promise.race([ended.promise, late.promise]);
      clearTimeout(timer);
    } catch (error) {
      throw new Error(`${String(error)}\n${log.join("").slice(-3000)}`, { cause: error });
    } finally {
      kill(group);
    }
  }

  /** The files that were written, and their bytes, without installed packages. */
  size(): { readonly files: number; readonly bytes: number } {
    const files = readdirSync(this.folder, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && !entry.parentPath.includes("node_modules"),
    );
    const sizes = files.map(({ name, parentPath }) => statSync(join(parentPath, name)).size);
    return { files: files.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
  }

  /** Without any one of the rules of its roles the tests fail. Returns the number of rules. */
  eachRuleIsNeeded(node: string): number {
    const file = join(this.folder, "manifests/rbac.yaml");
    const whole = this.read("manifests/rbac.yaml");
    const rules = whole.match(/(?: {2}#.*\n)+ {2}- apiGroups:.*\n(?: {4}.*\n)+/g) ?? [];
    if (rules.length < 5) throw new Error(`expected at least 5 rules, got ${rules.length}`);
    try {
      for (const rule of rules) {
        writeFileSync(file, whole.replace(rule, "").replace("rules:\n---", "rules: []\n---"));
        const options = { cwd: this.folder, env: this.environment(node), shell: true } as const;
        const { status } = spawnSync("node --test tests/operator.test.ts", options);
        if (status === 0) throw new Error(`the tests pass without this rule:\n${rule}`);
      }
    } finally {
      writeFileSync(file, whole);
    }
    return rules.length;
  }
}

/** Ends what is left of a group of processes. */
function kill(group: number): void {
  try {
    process.kill(group, "SIGKILL");
  } catch {
    // Nothing is left.
  }
}

/** Bytes of a folder on the disk. */
export function bytesIn(folder: string): number {
  const { stdout } = spawnSync("du", ["-sk", folder], { encoding: "utf8" });
  return Number(stdout.split("\t")[0]) * 1024;
}

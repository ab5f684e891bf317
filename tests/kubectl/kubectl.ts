import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { join } from "node:path";

/** What a command printed. */
export interface Printed {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

// A kubectl that waits for something the server never says must not hang the run.
const commandTimeoutMs = 300_000;

/** The version of the kubectl at a path; undefined if there is none. */
export function kubectlVersion(path: string): string | undefined {
  const { status, stdout } = spawnSync(path, ["version", "--client"], { encoding: "utf8" });
  return status === 0 ? stdout.split("\n")[0] : undefined;
}

/** What a command is given besides its arguments. */
export interface CommandOptions {
  /** Standard input. */
  readonly input?: string | undefined;
  /** The editor that `edit` starts. */
  readonly editor?: string | undefined;
}

/** kubectl with a folder, a kubeconfig and a cache of its own. */
export class Kubectl {
  readonly #path: string;
  readonly #folder: string;
  readonly #environment: NodeJS.ProcessEnv;

  /** The path may be a name that is looked up on PATH. */
  constructor(path: string, folder: string) {
    this.#path = path;
    this.#folder = folder;
    this.#environment = {
      ...process.env,
      HOME: folder,
      KUBECONFIG: join(folder, "kubeconfig"),
      KUBECACHEDIR: join(folder, "cache"),
    };
  }

  /** Runs a command to its end. */
  run(args: readonly string[], { input, editor }: CommandOptions = {}): Promise<Printed> {
    const child = this.start(args, editor);
    child.stdin?.end(input ?? "");
    const timer = setTimeout(() => child.kill(), commandTimeoutMs);
    return collect(child).finally(() => clearTimeout(timer));
  }

  /** Starts a command that goes on, such as `get --watch`. */
  start(args: readonly string[], editor?: string): ChildProcess {
    const env = { ...this.#environment, KUBE_EDITOR: editor };
    return spawn(this.#path, [...args], { cwd: this.#folder, env });
  }
}

function collect(child: ChildProcess): Promise<Printed> {
  let output = "";
  let errors = "";
  child.stdout?.on("data", (chunk) => (output += String(chunk)));
  child.stderr?.on("data", (chunk) => (errors += String(chunk)));
  return new Promise((resolve) => {
    child.on("close", (code) => resolve({ code, output, errors }));
  });
}

/**
 * Resolves when the output of a running command contains the text; rejects when the command ends
 * before, or after a time.
 */
export async function printed(child: ChildProcess, text: string): Promise<string> {
  let output = "";
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const timer = setTimeout(
    () => reject(new Error(`Expected "${text}", got "${output}"`)),
    commandTimeoutMs,
  );
  const listen = (chunk: Buffer): void => {
    output += chunk.toString();
    if (output.includes(text)) resolve(output);
  };
  const close = (): void => reject(new Error(`Expected "${text}", kubectl ended with "${output}"`));
  child.stdout?.on("data", listen);
  child.once("close", close);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    child.stdout?.off("data", listen);
    child.off("close", close);
  }
}

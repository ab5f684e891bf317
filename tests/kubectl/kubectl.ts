import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { join } from "node:path";

/** Result of a command. */
export interface Printed {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

// A kubectl that waits for a missing response must not block the run.
const commandTimeoutMs = 300_000;

/** Returns the version of the kubectl at a path; undefined if there is none. */
export function kubectlVersion(path: string): string | undefined {
  const { status, stdout } = spawnSync(path, ["version", "--client"], { encoding: "utf8" });
  return status === 0 ? stdout.split("\n")[0] : undefined;
}

export interface CommandOptions {
  readonly input?: string | undefined;
  readonly editor?: string | undefined;
}

/** kubectl with a separate folder, kubeconfig and cache. */
export class Kubectl {
  readonly #path: string;
  readonly #folder: string;
  readonly #environment: NodeJS.ProcessEnv;

  /** The path may be a name that is looked up in PATH. */
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

  run(args: readonly string[], { input, editor }: CommandOptions = {}): Promise<Printed> {
    const child = this.start(args, editor);
    child.stdin?.end(input ?? "");
    const timer = setTimeout(() => child.kill(), commandTimeoutMs);
    return collect(child).finally(() => clearTimeout(timer));
  }

  /** Starts a command that keeps running, such as `get --watch`. */
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
 * Resolves when the output of a running command contains the text. Rejects when the command ends
 * first, or at the time limit.
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

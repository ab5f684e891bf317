import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { describeDuration, describeError, type Clock } from "@listwatch/core-fifo/base";
import { ConfigError } from "../errors/errors.ts";
import type { ExecConfig } from "./cluster-config.ts";
import { execInfo, type ExecCredential, parseExecCredential } from "./exec-credential.ts";
import { withoutUserInformation } from "../http/address.ts";

/** Time before its expiry at which a credential is renewed, in milliseconds. */
const renewBeforeMs = 10_000;
/** Shortest time from the end of a run to the next one, in milliseconds. */
const runPauseMs = 2000;
/** Number of characters of the error output that a message shows. */
const shownErrorLength = 2000;
/** Number of characters that are searched for secrets: the rest of a truncated secret is unknown. */
const keptErrorLength = 64 * 1024;
/** Maximum number of characters that a plugin prints. Long certificate chains have some thousands. */
const maxOutputLength = 1_000_000;
const defaultTimeoutMs = 60_000;

/** Options of an {@link ExecPlugin}. */
export interface ExecPluginOptions {
  readonly clock: Clock;
  /** Time limit of one run, in milliseconds. @default 60000 */
  readonly timeoutMs?: number | undefined;
}

/**
 * Credentials of a plugin. It runs at most once at a time, even if many requests wait for it. A
 * credential is kept until shortly before it expires, or until the server refuses it.
 */
export class ExecPlugin {
  readonly #config: ExecConfig;
  readonly #options: ExecPluginOptions;
  #current: ExecCredential | undefined;
  #running: Promise<ExecCredential> | undefined;
  #lastRunMs = -Infinity;

  constructor(config: ExecConfig, options: ExecPluginOptions) {
    this.#config = config;
    this.#options = options;
  }

  /**
   * Returns the current credential.
   *
   * @param isRefused whether the server has answered 401 to a credential; a newer one is tried
   *   before the plugin runs again
   * @throws {ConfigError} if the plugin fails
   */
  async get(
    isRefused: (credential: ExecCredential) => boolean = () => false,
  ): Promise<ExecCredential> {
    const { clock } = this.#options;
    const current = this.#current;
    if (current !== undefined) {
      // Do not rerun a plugin in a loop if its credentials are invalid or already expired.
      if (clock.now() - this.#lastRunMs < runPauseMs) return current;
      const isOver = (current.expiresMs ?? Infinity) - renewBeforeMs <= clock.now();
      if (!isOver && !isRefused(current)) return current;
    }
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
    return this.#running;
  }

  async #run(): Promise<ExecCredential> {
    this.#current = undefined;
    const text = await runPlugin(this.#config, this.#options.timeoutMs ?? defaultTimeoutMs);
    const credential = parseExecCredential(text, this.#config);
    this.#lastRunMs = this.#options.clock.now();
    this.#current = credential;
    return credential;
  }
}

async function runPlugin(config: ExecConfig, timeoutMs: number): Promise<string> {
  const { env } = config;
  const info = execInfo(config, await clusterAuthority(config));
  return new Promise((resolve, reject) => {
    const child = startPlugin(config, {
      ...globalThis.process.env,
      ...env,
      KUBERNETES_EXEC_INFO: info,
    });
    let output = "";
    let complaints = "";
    // A program started by the plugin may hold its outputs open forever, so their end is not
    // awaited.
    const end = (error: ConfigError): void => {
      clearTimeout(limit);
      child.kill("SIGKILL");
      child.stdout.destroy();
      child.stderr.destroy();
      reject(error);
    };
    const limit = setTimeout(
      () =>
        end(
          failure(
            config,
            `was ended, since it took longer than ${describeDuration(timeoutMs)}`,
            withoutSecrets(complaints, config, output),
          ),
        ),
      timeoutMs,
    );
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (output.length > maxOutputLength)
        end(failure(config, "prints without an end", withoutSecrets(complaints, config, output)));
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      complaints = (complaints + text).slice(-keptErrorLength);
    });
    child.on("error", (error) => end(startError(error, config)));
    child.on("close", (code, signal) => {
      clearTimeout(limit);
      if (code === 0) return resolve(output);
      const how = signal === null ? `ended with code ${String(code)}` : `was ended by ${signal}`;
      reject(failure(config, how, withoutSecrets(complaints, config, output)));
    });
  });
}

/** @throws {ConfigError} if there can be no such program, for example if its name contains a NUL */
function startPlugin({ command, args }: ExecConfig, env: NodeJS.ProcessEnv) {
  try {
    return spawn(command, [...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  } catch {
    // The error quotes the argument or variable that cannot be passed.
    const reason = "an argument or a variable cannot be passed on";
    throw new ConfigError(`Cannot run the exec plugin ${command}: ${reason}`);
  }
}

/** Returns the authorities of the cluster in base64, if they come from a file. */
async function clusterAuthority({ clusterCaFile }: ExecConfig): Promise<string | undefined> {
  if (clusterCaFile === undefined) return undefined;
  try {
    return await readFile(clusterCaFile, "base64");
  } catch (cause) {
    throw new ConfigError(`Cannot read ${clusterCaFile}: ${describeError(cause)}`, { cause });
  }
}

function failure(
  { command, installHint }: ExecConfig,
  how: string,
  complaints: string,
): ConfigError {
  const said = complaints.trim() === "" ? "" : `: ${complaints.trim()}`;
  const hint = installHint === undefined ? "" : `. ${installHint.trim()}`;
  return new ConfigError(`The exec plugin ${command} ${how}${said}${hint}`);
}

/** The system's error contains the arguments, possibly a password, and is not shown. */
function startError(error: Error, { command, installHint }: ExecConfig): ConfigError {
  const code = "code" in error && typeof error.code === "string" ? error.code : "no reason given";
  const hint = installHint === undefined ? "" : `. ${installHint.trim()}`;
  const reason = code === "ENOENT" ? `it was not found${hint}` : code;
  return new ConfigError(`Cannot run the exec plugin ${command}: ${reason}`);
}

/**
 * Returns the end of a plugin's error output, without tokens and without secrets of the kubeconfig,
 * which the plugin may quote.
 */
function withoutSecrets(text: string, { args, env }: ExecConfig, output: string): string {
  const given = args.flatMap((arg, index) => {
    const [, value] = /^-[^=]*=(.*)$/s.exec(arg) ?? [];
    const isSecret = secretName.test(value === undefined ? (args[index - 1] ?? "") : arg);
    return isSecret ? [value ?? arg] : [];
  });
  const values = [...Object.values(env), ...given, output.trim()];
  let shown = text;
  for (const value of values.toSorted((a, b) => b.length - a.length)) {
    if (value.length >= minSecretLength) shown = shown.replaceAll(value, "…");
  }
  shown = withoutUserInformation(shown).replaceAll(secretMember, "$1…").replaceAll(jwt, "…");
  return shown.slice(-shownErrorLength);
}

/** Shorter values are words that occur by chance. */
const minSecretLength = 6;
/** Names of arguments whose values are not shown. */
const secretName = /^-.*(pass|pw|secret|token|key|cred|auth)/i;
/** A member of an ExecCredential, or of a response of an identity provider, with its value. */
const secretMember =
  /((?:token|secret|password|keydata)"?\s*(?::\s*"|=\s*"?|:\s*(?=[^\s"]{20})))[^\s",;}]+/gi;
/** A JSON Web Token: header and claims start with the same letters. */
const jwt = /\beyJ[\w-]+\.[\w-]+(\.[\w-]*)?/g;

import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { describeDuration, describeError, type Clock } from "@listwatch/core-fifo/base";
import { ConfigError } from "../errors/errors.ts";
import type { ExecConfig } from "./cluster-config.ts";
import { execInfo, type ExecCredential, parseExecCredential } from "./exec-credential.ts";
import { withoutUserInformation } from "../http/address.ts";

/** Milliseconds before its end at which a credential is renewed. */
const renewBeforeMs = 10_000;
/** Milliseconds from the end of a run to the next one. */
const runPauseMs = 2000;
/** Characters of the error output that a message shows. */
const shownErrorLength = 2000;
/** Characters of it that are looked through: of a secret that is cut, the rest is not known. */
const keptErrorLength = 64 * 1024;
/** Characters of what a plugin prints; certificates with long chains have some thousands. */
const maxOutputLength = 1_000_000;
const defaultTimeoutMs = 60_000;

/** Options of an {@link ExecPlugin}. */
export interface ExecPluginOptions {
  readonly clock: Clock;
  /** Milliseconds that one run may take. @default 60000 */
  readonly timeoutMs?: number | undefined;
}

/**
 * Credentials of a plugin. It runs at most once at a time, however many requests wait for it, and
 * keeps what it gives until shortly before its end, or until the server refuses it.
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
   * The credential of now.
   *
   * @param isRefused whether the server has answered 401 to a credential; one that was given since
   *   is tried before the plugin runs again
   * @throws {ConfigError} if the plugin fails
   */
  async get(
    isRefused: (credential: ExecCredential) => boolean = () => false,
  ): Promise<ExecCredential> {
    const { clock } = this.#options;
    const current = this.#current;
    if (current !== undefined) {
      // A plugin that gives bad credentials, or such as end at once, must not be run in a loop.
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
    // A program that it has started may hold its outputs open for ever: they are not waited for.
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

/** @throws {ConfigError} if there can be no such program: it has a NUL in its name, for example */
function startPlugin({ command, args }: ExecConfig, env: NodeJS.ProcessEnv) {
  try {
    return spawn(command, [...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  } catch {
    // What is thrown here quotes the argument or the variable that cannot be passed on.
    const reason = "an argument or a variable cannot be passed on";
    throw new ConfigError(`Cannot run the exec plugin ${command}: ${reason}`);
  }
}

/** The authorities of the cluster in base64, where a file has them. */
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

/** The error of the system has the arguments, among which may be a password, and is not shown. */
function startError(error: Error, { command, installHint }: ExecConfig): ConfigError {
  const code = "code" in error && typeof error.code === "string" ? error.code : "no reason given";
  const hint = installHint === undefined ? "" : `. ${installHint.trim()}`;
  const reason = code === "ENOENT" ? `it was not found${hint}` : code;
  return new ConfigError(`Cannot run the exec plugin ${command}: ${reason}`);
}

/**
 * The end of what a plugin complains about, without secrets that the kubeconfig passes on to it,
 * which it may quote, and without tokens.
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
/** A member of an ExecCredential or of the answer of an identity provider, and its value. */
const secretMember =
  /((?:token|secret|password|keydata)"?\s*(?::\s*"|=\s*"?|:\s*(?=[^\s"]{20})))[^\s",;}]+/gi;
/** A JSON Web Token: header and claims begin with the same letters. */
const jwt = /\beyJ[\w-]+\.[\w-]+(\.[\w-]*)?/g;

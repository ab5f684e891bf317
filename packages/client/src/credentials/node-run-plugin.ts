import { spawn, type ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import { normalize } from "node:path";
import { isatty } from "node:tty";
import { callHook, describeDuration, describeError } from "@listwatch/core-fifo/base";
import { ConfigError } from "../errors/errors.ts";
import type { ExecConfig } from "./cluster-config.ts";
import { withoutSecrets } from "./exec-error-output.ts";
import { execInfo } from "./exec-info.ts";
import { findProgram } from "./node-find-program.ts";

/** Number of characters that are searched for secrets: the rest of a truncated secret is unknown. */
const keptErrorLength = 64 * 1024;
/** Maximum number of characters that a plugin prints. Long certificate chains have some thousands. */
const maxOutputLength = 1_000_000;
/** Time limit of a run that no person watches, in milliseconds. */
const defaultTimeoutMs = 60_000;
/**
 * Time for the rest of an output after the plugin has ended, in milliseconds. Only a program that
 * the plugin has left behind keeps the output open.
 */
const restLimitMs = 1000;

/** Options of a plugin's run. */
export interface PluginRunOptions {
  /**
   * Time limit of one run, in milliseconds.
   *
   * @default 60_000 without a terminal; none with one, where a person may be signing in
   */
  readonly timeoutMs?: number | undefined;
  /** Called with what the plugin writes to its stderr. @default writes it to stderr */
  readonly onStderr?: ((text: string) => void) | undefined;
  /** Ends the plugin. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the exit code when the plugin ends by itself; -1 after a signal, as in Go. */
  readonly onExit?: ((code: number) => void) | undefined;
}

/**
 * Runs a plugin as kubectl does: with the same program, environment and input.
 *
 * @returns its output
 * @throws {ConfigError} if it cannot be run, or fails
 */
export async function runPlugin(config: ExecConfig, options: PluginRunOptions): Promise<string> {
  const interactive = isInteractive(config);
  const authority = await clusterAuthority(config);
  const environment = globalThis.process.env;
  const command = normalize(config.command);
  const program = await findProgram(command, environment);
  if (program === undefined) {
    throw new ConfigError(
      `Cannot run the exec plugin ${config.command}: it was not found${hintOf(config)}`,
    );
  }
  const env = addVariables(environment, {
    ...config.env,
    KUBERNETES_EXEC_INFO: execInfo(config, { interactive, authority }),
  });
  const hasTerminal = isatty(2) && options.onStderr === undefined;
  try {
    const child = spawn(program, [...config.args], {
      env,
      argv0: command,
      // As from kubectl, a terminal itself is passed on, because plugins ask whether it is one.
      stdio: [interactive ? "inherit" : "ignore", "pipe", hasTerminal ? "inherit" : "pipe"],
    });
    return await new PluginRun(child, config, options).result;
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    // The error quotes the argument or variable that cannot be passed.
    const reason = "an argument or a variable cannot be passed on";
    // oxlint-disable-next-line eslint/preserve-caught-error -- the cause would show it
    throw new ConfigError(`Cannot run the exec plugin ${config.command}: ${reason}`);
  }
}

/** A running plugin. Its end does not depend on programs that it has started. */
class PluginRun {
  readonly result: Promise<string>;
  readonly #config: ExecConfig;
  readonly #child: ChildProcess;
  readonly #settle: { resolve(text: string): void; reject(error: ConfigError): void };
  readonly #release: () => void;
  #output = "";
  #errorOutput = "";
  /** The exit code or signal, after the plugin has ended. */
  #ending: { readonly code: number | null; readonly signal: string | null } | undefined;
  #restLimit: NodeJS.Timeout | undefined;

  constructor(child: ChildProcess, config: ExecConfig, options: PluginRunOptions) {
    this.#child = child;
    this.#config = config;
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    this.result = promise;
    this.#settle = { resolve, reject };
    const limit = this.#startLimit(options);
    const stop = (): void => this.#fail("was ended, since its connection was closed");
    options.signal?.addEventListener("abort", stop, { once: true });
    this.#release = () => {
      clearTimeout(limit);
      options.signal?.removeEventListener("abort", stop);
    };
    this.#read(options);
    child.on("error", (error) => this.#close(() => reject(startError(error, config))));
    child.on("exit", (code, signal) => {
      options.onExit?.(code ?? -1);
      this.#exited({ code, signal });
    });
    child.on("close", () => this.#finish());
    if (options.signal?.aborted === true) stop();
  }

  #startLimit({ timeoutMs }: PluginRunOptions): NodeJS.Timeout | undefined {
    const limitMs = timeoutMs ?? (isatty(0) || isatty(2) ? undefined : defaultTimeoutMs);
    if (limitMs === undefined) return undefined;
    const how = `was ended, since it took longer than ${describeDuration(limitMs)}`;
    return setTimeout(() => this.#fail(how), limitMs);
  }

  #read({ onStderr = writeToStderr }: PluginRunOptions): void {
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.#output += text;
      if (this.#output.length > maxOutputLength) this.#fail("prints without an end");
      else if (this.#ending?.code === 0 && isJson(this.#output)) this.#finish();
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#errorOutput = (this.#errorOutput + text).slice(-keptErrorLength);
      callHook(() => onStderr(text));
    });
  }

  #exited(ending: { readonly code: number | null; readonly signal: string | null }): void {
    this.#ending = ending;
    // Output may still arrive. It is complete at its end, or when it is a whole document.
    if (ending.code === 0 && isJson(this.#output)) this.#finish();
    else this.#restLimit = setTimeout(() => this.#finish(), restLimitMs);
  }

  #finish(): void {
    const { code, signal } = this.#ending ?? { code: 0, signal: null };
    if (code === 0) return this.#close(() => this.#settle.resolve(this.#output));
    this.#fail(signal === null ? `ended with code ${String(code)}` : `was ended by ${signal}`);
  }

  #fail(how: string): void {
    const errorOutput = withoutSecrets(this.#errorOutput, this.#config, this.#output);
    this.#close(() => this.#settle.reject(failure(this.#config, how, errorOutput)));
  }

  #close(settle: () => void): void {
    this.#release();
    clearTimeout(this.#restLimit);
    if (this.#ending === undefined) this.#child.kill("SIGKILL");
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    settle();
  }
}

/** Like client-go, plugin/pkg/client/auth/exec: `isInteractive`. */
function isInteractive({ command, interactiveMode = "IfAvailable" }: ExecConfig): boolean {
  const hasTerminal = isatty(0);
  if (interactiveMode === "Always" && !hasTerminal) {
    const reason = "it needs a terminal (interactiveMode Always), and standard input is not one";
    throw new ConfigError(`Cannot run the exec plugin ${command}: ${reason}`);
  }
  return interactiveMode !== "Never" && hasTerminal;
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

/** Adds variables to an environment. Their names have no case on Windows. */
function addVariables(
  environment: NodeJS.ProcessEnv,
  added: Readonly<Record<string, string>>,
): NodeJS.ProcessEnv {
  if (globalThis.process.platform !== "win32") return { ...environment, ...added };
  const replaced = new Set(Object.keys(added).map((name) => name.toUpperCase()));
  const kept = Object.entries(environment).filter(([name]) => !replaced.has(name.toUpperCase()));
  return { ...Object.fromEntries(kept), ...added };
}

function writeToStderr(text: string): void {
  globalThis.process.stderr.write(text);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\ufeff/, ""));
    return true;
  } catch {
    return false;
  }
}

function failure(config: ExecConfig, how: string, errorOutput: string): ConfigError {
  const said = errorOutput.trim() === "" ? "" : `: ${errorOutput.trim()}`;
  return new ConfigError(`The exec plugin ${config.command} ${how}${said}${hintOf(config)}`);
}

/** The system's error contains the arguments, possibly a password, and is not shown. */
function startError(error: Error, { command }: ExecConfig): ConfigError {
  const code = "code" in error && typeof error.code === "string" ? error.code : "no reason given";
  return new ConfigError(`Cannot run the exec plugin ${command}: ${code}`);
}

/** Control characters of a kubeconfig must not reach the terminal: clientcmd `cleanANSIEscapeCodes`. */
function hintOf({ installHint }: ExecConfig): string {
  if (installHint === undefined) return "";
  const hint = installHint.replaceAll(/(?![\t-\r])\p{C}/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  });
  return `. ${hint.trim()}`;
}

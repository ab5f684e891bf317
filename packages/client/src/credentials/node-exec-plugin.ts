import { createMeters, type Clock, type MetricsSink } from "@listwatch/core-fifo/base";
import type { ExecConfig } from "./cluster-config.ts";
import { type ExecCredential, parseExecCredential } from "./exec-credential.ts";

/** Time before its expiry at which a credential is renewed, in milliseconds. */
const renewBeforeMs = 10_000;
/** Shortest time between two runs for the same reason, in milliseconds. */
const runPauseMs = 2000;

/** Options of an {@link ExecPlugin}. */
export interface ExecPluginOptions {
  readonly clock: Clock;
  /** Time limit of one run, in milliseconds. @default 60_000 without a terminal, none with one */
  readonly timeoutMs?: number | undefined;
  /** Called with what the plugin writes to its stderr. @default writes it to stderr */
  readonly onStderr?: ((text: string) => void) | undefined;
  readonly metrics?: MetricsSink | undefined;
}

/** client-go's metrics of exec plugins, tools/metrics/metrics.go. */
const pluginMeters = { ttl: ["gauge", "rest_client_exec_plugin_ttl_seconds"] } as const;
const callMeters = { calls: ["counter", "rest_client_exec_plugin_call_total"] } as const;

/**
 * Credentials of a plugin. It runs at most once at a time, even if many requests wait for it. A
 * credential is kept until shortly before it expires, or until the server refuses it.
 */
export class ExecPlugin {
  readonly #config: ExecConfig;
  readonly #options: ExecPluginOptions;
  readonly #closing = new AbortController();
  #current: ExecCredential | undefined;
  #running: Promise<ExecCredential> | undefined;
  #lastRunMs = -Infinity;
  /** End of the last run that followed a refusal. */
  #lastRefusalMs = -Infinity;

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
    const nowMs = this.#options.clock.now();
    const current = this.#current;
    const isRefusal = current !== undefined && isRefused(current);
    if (current !== undefined) {
      const isOver = (current.expiresMs ?? Infinity) - renewBeforeMs <= nowMs;
      // Do not rerun a plugin in a loop if its credentials are invalid or already expired. A first
      // refusal does not wait: the plugin may have printed a token from its cache.
      const canRun = nowMs - (isRefusal ? this.#lastRefusalMs : this.#lastRunMs) >= runPauseMs;
      if (!canRun || (!isOver && !isRefusal)) return this.#measure(current);
    }
    this.#running ??= this.#run(isRefusal).finally(() => (this.#running = undefined));
    return this.#running;
  }

  #measure(credential: ExecCredential): ExecCredential {
    const { clock, metrics } = this.#options;
    const { expiresMs } = credential;
    if (metrics === undefined || expiresMs === undefined) return credential;
    createMeters(metrics, pluginMeters, {}).ttl?.set((expiresMs - clock.now()) / 1000);
    return credential;
  }

  /** Ends a plugin that is running. */
  close(): void {
    this.#closing.abort();
  }

  async #run(isRefusal: boolean): Promise<ExecCredential> {
    const { clock, metrics, onStderr, timeoutMs } = this.#options;
    const count = (code: number, call_status: string): void =>
      createMeters(metrics, callMeters, { code: String(code), call_status }).calls?.inc();
    this.#current = undefined;
    const { signal } = this.#closing;
    // Loaded on demand: most configurations have no plugin.
    const { runPlugin } = await import("./node-run-plugin.ts");
    let exitCode = 0;
    const onExit = (code: number): void => void (exitCode = code);
    let text: string;
    try {
      text = await runPlugin(this.#config, { timeoutMs, onStderr, signal, onExit });
    } catch (error) {
      // client-go counts a run without an exit code as 1.
      count(exitCode === 0 ? 1 : exitCode, "plugin_execution_error");
      throw error;
    }
    count(0, "no_error");
    const credential = parseExecCredential(text, this.#config);
    this.#lastRunMs = clock.now();
    if (isRefusal) this.#lastRefusalMs = this.#lastRunMs;
    this.#current = credential;
    this.#measure(credential);
    return credential;
  }
}

import { createConnection, type Connection } from "@listwatch/client";
import type { Clock, Log, LogFields } from "@listwatch/core-fifo";
import { isInstance } from "@listwatch/core-fifo/base";
import { seededRandom } from "@listwatch/core-fifo/testing";
import { actAs, namespaceOf } from "../rights/account.ts";
import { hashText } from "../plan/draw.ts";
import { nameError } from "./conditions.ts";
import { Network, type NetworkLife, type NetworkWorld } from "./network.ts";
import { ProcessClock } from "./process-clock.ts";
import type { LoadedScenario } from "./scenario.ts";

/** Pause before a process that ended is started again, in milliseconds: a kubelet's first back-off. */
const restartMs = 10_000;

/** Time that a process has for its end, in milliseconds: the default of a pod. */
const graceMs = 30_000;

/** A life that goes on. */
interface CurrentLife {
  readonly clock: ProcessClock;
  readonly network: NetworkLife;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

/** A process of the program: it is started, killed, paused and started again. */
export class SimulatedProcess {
  readonly identity: string;
  readonly #world: NetworkWorld;
  readonly #scenario: LoadedScenario;
  readonly #network: Network;
  #lives = 0;
  #current: CurrentLife | undefined;
  #isStopping = false;
  #skewMs = 0;
  /** Clock of the last life, also during the first call of the program. */
  #clock: ProcessClock | undefined;

  constructor(world: NetworkWorld, scenario: LoadedScenario, replica: number) {
    this.identity = `replica-${replica}`;
    this.#world = world;
    this.#scenario = scenario;
    this.#network = new Network(world, this.identity, (afterMs) => this.kill(afterMs));
  }

  /** Timers, requests and watches that the process has left open; "" if there are none. */
  get leftOpen(): string {
    const { clock, network } = this.#current ?? {};
    const counts = [
      [clock?.pendingTimers ?? 0, "timer"],
      [network?.openRequests ?? 0, "request"],
    ] as const;
    return counts
      .filter(([count]) => count > 0)
      .map(([count, what]) => (count === 1 ? `1 ${what}` : `${count} ${what}s`))
      .join(", ");
  }

  /** Clock of the process; after its end, no timer of it fires. */
  get clock(): Clock | undefined {
    return this.#clock;
  }

  /** Whether a life goes on. */
  get isRunning(): boolean {
    return this.#current !== undefined;
  }

  start(): void {
    if (this.#isStopping || this.#current !== undefined) return;
    const number = this.#lives++;
    const clock = new ProcessClock(this.#world.clock, this.#skewMs, {
      onError: (error) => this.crash(error),
      onStuck: () => this.#stick(),
    });
    this.#clock = clock;
    const network = this.#network.open(clock, number);
    const stop = new AbortController();
    this.#world.trace.add(this.identity, number === 0 ? "starts" : "starts again");
    const seed = hashText(`${this.#world.story.seed} ${this.identity} ${number}`);
    const life = {
      identity: this.identity,
      number,
      connection: this.#connectionOf(network),
      clock,
      random: seededRandom(seed),
      log: this.#createLog(clock),
      signal: stop.signal,
    };
    const ended = this.#run(() => this.#scenario.start(life), stop);
    this.#current = { clock, network, stop, ended };
  }

  /** Ends the process at once. It starts again after `afterMs` milliseconds. */
  kill(afterMs: number): void {
    const current = this.#current;
    if (current === undefined) return;
    this.#world.trace.add(this.identity, "is killed");
    this.#end(current, afterMs);
  }

  /** Ends the process at an error that its program does not catch. It starts again after 10 s. */
  crash(error: unknown): void {
    const current = this.#current;
    if (current === undefined) return;
    this.#world.trace.add(this.identity, `crashes: ${nameError(error)}`);
    this.#world.noteCrash(this.identity, error);
    this.#end(current, restartMs);
  }

  /** Ends a process that never waits. */
  #stick(): void {
    this.#world.noteStuck(this.identity);
    // Before its first wait, the life is not yet known.
    this.#clock?.end();
  }

  /** Asks the process to end, and kills it after 30 s. It starts again when it has ended. */
  restart(): void {
    const current = this.#current;
    if (current === undefined) return;
    this.#world.trace.add(this.identity, "is asked to end");
    current.stop.abort(new Error("The process is asked to end"));
    this.#world.clock.setTimeout(() => {
      if (this.#current === current && !this.#isStopping) this.kill(restartMs);
    }, graceMs);
  }

  /** Lets the process stand still. */
  pause(ms: number): void {
    this.#world.trace.add(this.identity, `stands still for ${(ms / 1000).toFixed(1)} s`);
    this.#current?.clock.pause(ms);
  }

  /** Ends a pause. */
  goOn(): void {
    this.#current?.clock.thaw();
  }

  /** Lets the clock of the process jump, by seconds forward or back. It stays so over restarts. */
  skew(ms: number): void {
    const change = `${ms < 0 ? "back" : "forward"} by ${(Math.abs(ms) / 1000).toFixed(1)} s`;
    this.#world.trace.add(this.identity, `has a clock that jumps ${change}`);
    this.#skewMs = ms;
    if (this.#current !== undefined) this.#current.clock.skewMs = ms;
  }

  /** Asks the process to end; it does not start again. */
  stop(): void {
    this.#isStopping = true;
    this.#current?.stop.abort(new Error("The process is asked to end"));
  }

  /** Resolves when the life that goes on has ended. */
  async ended(): Promise<void> {
    await this.#current?.ended;
  }

  async #run(start: () => Promise<unknown>, stop: AbortController): Promise<void> {
    const failure = await failureOf(start);
    const current = this.#current;
    if (current?.stop !== stop) return;
    // A program that was asked to end may end with the reason.
    if (failure !== undefined && !stop.signal.aborted) return this.crash(failure.error);
    const outcome = failure === undefined ? "" : ` with an error: ${nameError(failure.error)}`;
    this.#world.trace.add(this.identity, `ends${outcome}`);
    if (this.#isStopping) return;
    this.#end(current, restartMs);
  }

  /** Takes a life its connections and timers; the next one starts `afterMs` milliseconds later. */
  #end({ clock, network }: CurrentLife, afterMs: number): void {
    this.#current = undefined;
    network.cut();
    clock.end();
    this.#world.clock.setTimeout(() => this.start(), afterMs);
  }

  #connectionOf(network: NetworkLife): Connection {
    const { account } = this.#scenario;
    const onRefused = (message: string): void => this.#world.noteRefusal(this.identity, message);
    return createConnection({
      server: "http://cluster",
      fetch: actAs(account, network.fetch, onRefused),
      namespace: account && namespaceOf(account),
    });
  }

  /** Creates the log of a life. A life that is over writes nothing. */
  #createLog(clock: ProcessClock): Log {
    const write =
      (level: string) =>
      (message: string, fields?: LogFields): void => {
        if (clock.hasEnded) return;
        this.#world.trace.add(this.identity, `${level}: ${message}${formatFields(fields)}`);
      };
    return {
      debug: () => undefined,
      info: write("info"),
      warn: write("warn"),
      error: write("error"),
    };
  }
}

/** Runs a program. Returns its error, if it ends with one. */
async function failureOf(
  start: () => Promise<unknown>,
): Promise<{ readonly error: unknown } | undefined> {
  try {
    await start();
    return undefined;
  } catch (error) {
    return { error };
  }
}

/** Longest value of a field in a timeline. */
const maxLength = 120;

/** Formats the fields of a line of the log, those that a reader can use: strings and errors. */
function formatFields(fields: LogFields | undefined): string {
  const shown = Object.entries(fields ?? {}).flatMap(([name, value]) => {
    const text = isInstance(value, Error) ? nameError(value) : value;
    const isShown = typeof text === "string" || typeof text === "number";
    return isShown ? [`${name}=${String(text).slice(0, maxLength)}`] : [];
  });
  return shown.length === 0 ? "" : ` (${shown.join(", ")})`;
}

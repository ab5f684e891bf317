import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { createConnection, type FetchFunction } from "listwatch";
import type { FakeApiServer } from "listwatch/fake-apiserver";
import { SimulatedClock } from "listwatch/testing";
import { parseArguments } from "../../src/arguments.ts";
import { runDemo } from "../../src/run-demo.ts";
import { Terminal } from "../../src/terminal.ts";

/** Options of {@link DemoRun}. */
export interface DemoRunOptions {
  /** Size of the terminal; a pipe without it. */
  readonly size?: readonly [columns: number, rows: number];
  readonly env?: Readonly<Record<string, string>>;
  /** Answers the requests to a real server. */
  readonly fetch?: FetchFunction;
  readonly clock?: SimulatedClock;
}

const startMs = Date.UTC(2026, 0, 1);
/** Simulated time after which a test has failed, in milliseconds. */
const limitMs = 2 * 60_000;
const stepMs = 100;

/** Streams like those of a process. */
class Streams {
  output = "";
  readonly stdin = Object.assign(new PassThrough(), { isTTY: false, setRawMode: () => {} });
  readonly stdout = Object.assign(new EventEmitter(), {
    isTTY: false,
    columns: 0,
    rows: 0,
    write: (text: string): boolean => {
      this.output += text;
      return true;
    },
  });
  readonly env: Readonly<Record<string, string>>;

  constructor({ env = {}, size }: DemoRunOptions) {
    this.env = env;
    if (size === undefined) return;
    this.stdin.isTTY = true;
    Object.assign(this.stdout, { isTTY: true, columns: size[0], rows: size[1] });
  }
}

/** The demo in this process, on a simulated clock and without the network. */
export class DemoRun implements AsyncDisposable {
  readonly clock: SimulatedClock;
  readonly stop = new AbortController();
  readonly failures: Promise<readonly string[]>;
  /** The server of the demo's own cluster. */
  own: FakeApiServer | undefined;
  readonly #streams: Streams;
  #hasEnded = false;

  constructor(args: readonly string[], options: DemoRunOptions = {}) {
    const { clock = new SimulatedClock({ startMs }), fetch } = options;
    const command = parseArguments(args);
    if (command === undefined)
      throw new Error("Expected arguments that start the demo, got --help");
    this.clock = clock;
    this.#streams = new Streams(options);
    const terminal = new Terminal(this.#streams as unknown as NodeJS.Process);
    terminal.open();
    const connect = async (own?: FakeApiServer) => {
      this.own = own;
      let isOpen = true;
      const answer = own?.fetch ?? fetch;
      const connection = createConnection({
        server: "http://demo",
        fetch: (request) => {
          if (!isOpen || answer === undefined) throw new Error("The connection is closed");
          return answer(request);
        },
      });
      return Object.assign(connection, {
        [Symbol.asyncDispose]: async () => {
          isOpen = false;
        },
      });
    };
    const { stop } = this;
    this.failures = runDemo(command, { clock, terminal, stop, connect }).finally(() => {
      this.#hasEnded = true;
    });
    // Tests look at it when they want to.
    this.failures.catch(() => {});
  }

  /** All output without styles. */
  get text(): string {
    return stripVTControlCharacters(this.#streams.output);
  }

  get output(): string {
    return this.#streams.output;
  }

  get lines(): readonly string[] {
    return this.text.split("\n").filter((line) => line !== "");
  }

  /** The last picture, with its styles. */
  get styledScreen(): string {
    return this.#streams.output.split("\u001b[H").at(-1) ?? "";
  }

  get screen(): readonly string[] {
    return stripVTControlCharacters(this.styledScreen).split("\r\n");
  }

  resize(columns: number, rows: number): void {
    Object.assign(this.#streams.stdout, { columns, rows });
  }

  type(keys: string): void {
    this.#streams.stdin.write(keys);
  }

  /** Lets time pass until the output or the state is as wanted. */
  async until(wanted: string | RegExp | (() => boolean)): Promise<void> {
    const isThere = (): boolean => {
      if (typeof wanted === "function") return wanted();
      const screen = this.screen.join("\n");
      return typeof wanted === "string" ? screen.includes(wanted) : wanted.test(screen);
    };
    const endMs = this.clock.now() + limitMs;
    while (!isThere()) {
      if (this.clock.now() >= endMs) {
        throw new Error(`Expected ${String(wanted)}, got\n${this.screen.join("\n")}`);
      }
      await this.clock.advance(stepMs);
    }
  }

  /** Waits for the end; resolves with the failures. */
  async ended(): Promise<readonly string[]> {
    await this.until(() => this.#hasEnded);
    return this.failures;
  }

  /** Ends the demo; resolves with its failures. */
  end(): Promise<readonly string[]> {
    this.stop.abort();
    return this.ended();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end().catch(() => {});
  }
}

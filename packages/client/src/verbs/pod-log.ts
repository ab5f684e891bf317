import {
  type Clock,
  type Random,
  aBoolean,
  aNumber,
  anInteger,
  aSignal,
  aString,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import { makeAttempts } from "../http/attempts.ts";
import { guardBody } from "../http/body.ts";
import { IdleLimit } from "../http/idle-limit.ts";
import type { Requester } from "../http/request.ts";

/** Options of a log. */
export interface LogOptions {
  /**
   * Name of the container. Required for a pod with several containers.
   *
   * @default the only container
   */
  readonly container?: string | undefined;
  /** Whether the log continues until the container ends. @default false */
  readonly follow?: boolean | undefined;
  /** Number of lines from the end at which the log starts. @default all */
  readonly tailLines?: number | undefined;
  /** Age of the oldest line, in seconds. @default all */
  readonly sinceSeconds?: number | undefined;
  /** Whether each line starts with its time. @default false */
  readonly timestamps?: boolean | undefined;
  /** Whether to read the log of the container before its last restart. @default false */
  readonly previous?: boolean | undefined;
  /**
   * Time without a byte, from the request on, after which the log fails with a {@link NetworkError}
   * of kind `timeout`, in milliseconds. Infinity for no limit: a program may write nothing for
   * days.
   *
   * @default Infinity
   */
  readonly idleMs?: number | undefined;
  /** Maximum number of repetitions before the log starts. @default the client's */
  readonly retries?: number | undefined;
  /** Ends the log, whose loop rejects with the reason of the signal. @default none */
  readonly signal?: AbortSignal | undefined;
}

/** Checks of {@link LogOptions}. */
export const logTable: OptionsOf<LogOptions> = {
  container: aString,
  follow: aBoolean,
  tailLines: anInteger(0),
  sinceSeconds: anInteger(0),
  timestamps: aBoolean,
  previous: aBoolean,
  idleMs: aNumber(1),
  retries: anInteger(0),
  signal: aSignal,
};

/** Services of the client for {@link openLog}. */
export interface LogContext {
  readonly requester: Requester;
  readonly clock: Clock;
  readonly random: Random;
  readonly retries: number;
}

/** Opens a log at an address. */
export async function openLog(
  context: LogContext,
  path: string,
  { signal: outer, idleMs = Infinity, retries = context.retries, ...query }: LogOptions,
): Promise<LogStream> {
  const { requester, clock, random } = context;
  const { server, secrets } = requester;
  const attempted = `Cannot read the log ${server}${path}`;
  const idle = new IdleLimit({ clock, idleMs, attempted, signal: outer });
  const { signal } = idle;
  const attempts = { clock, random, attempted, signal, retries, timeoutMs: Infinity, isRead: true };
  const request = { method: "GET", path, query, accept: "*/*", attempted, signal } as const;
  try {
    const { body } = await makeAttempts(attempts, () => idle.wait(requester.send(request)));
    const bytes = body ?? new ReadableStream({ start: (stream) => stream.close() });
    return new LogStream(guardBody(bytes, idle, { attempted, secrets }));
  } catch (error) {
    idle.end();
    throw error;
  }
}

/**
 * The log of a container, to be read once. Reading fails with a {@link NetworkError} if the log
 * breaks off, and with the reason of the signal after an abort.
 */
export class LogStream {
  /** The bytes as they arrive. */
  readonly bytes: ReadableStream<Uint8Array>;

  constructor(bytes: ReadableStream<Uint8Array>) {
    this.bytes = bytes;
  }

  /** Returns everything once the log has ended. */
  async text(): Promise<string> {
    const lines: string[] = [];
    const decoder = new TextDecoder();
    for await (const chunk of chunksOf(this.bytes))
      lines.push(decoder.decode(chunk, { stream: true }));
    return lines.join("") + decoder.decode();
  }

  /** Yields the lines without line ends. Leaving the loop ends the request. */
  async *lines(): AsyncGenerator<string, void, undefined> {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of chunksOf(this.bytes)) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
    rest += decoder.decode();
    if (rest !== "") yield rest;
  }
}

/** Not every browser can iterate over a stream. */
async function* chunksOf(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

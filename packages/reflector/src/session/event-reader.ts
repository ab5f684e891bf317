import type { ReuseFunction, WatchEvent, WatchOptions } from "@listwatch/client";
import type { Clock } from "@listwatch/core-fifo";
import { describeValue, ListwatchError } from "@listwatch/core-fifo/base";
import type { ListerWatcher, WatchStream } from "../source/lister-watcher.ts";
import { Deadline, returnIterator } from "./deadline.ts";

/** A watch to be opened. */
export interface WatchRequest<T> {
  readonly listerWatcher: Pick<ListerWatcher<T>, "watch">;
  readonly options: WatchOptions;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  /** Longest time between two arrivals, or without progress towards the goal, in milliseconds. */
  readonly silenceMs: number;
  /** Name of what has to arrive; see {@link Deadline}. @default any byte */
  readonly goal?: string | undefined;
  /** Longest time that the watch may be open, in milliseconds. @default Infinity */
  readonly limitMs?: number | undefined;
  /** Finds the objects of a streamed list that are held. */
  readonly reuse?: ReuseFunction<T> | undefined;
  /** Description of the reader, for messages. */
  readonly what: string;
}

/** Takes the events of a watch. */
export interface BatchReceiver<T, R> {
  /**
   * Called with the events that arrived together, none when only the connection showed life.
   * Returns `undefined` if it wants more.
   */
  receive(this: void, batch: readonly WatchEvent<T>[]): R | undefined;
  /** Pending while the next batch must not be read yet. */
  waitForRoom?(this: void): Promise<void> | undefined;
}

/** Reads the events of one watch, from its request to its end. */
export class EventReader<T> {
  /** Its limits. Its signal is aborted when the watch is closed or given up. */
  readonly deadline: Deadline;
  readonly #iterator: AsyncIterator<WatchEvent<T> | readonly WatchEvent<T>[]>;

  private constructor(
    deadline: Deadline,
    iterator: AsyncIterator<WatchEvent<T> | readonly WatchEvent<T>[]>,
  ) {
    this.deadline = deadline;
    this.#iterator = iterator;
  }

  /**
   * Requests a watch and waits until the server has accepted it.
   *
   * @throws {ListwatchError} with the code `LW_NOT_A_WATCH` if the lister-watcher returns something
   *   else
   * @throws what the request failed with; nothing is left open then
   */
  static async open<T>(request: WatchRequest<T>): Promise<EventReader<T>> {
    const { listerWatcher, options, reuse } = request;
    const deadline = new Deadline({ ...request, parent: request.signal });
    try {
      const { signal } = deadline;
      return new EventReader(
        deadline,
        iteratorOf(await deadline.ask(listerWatcher.watch(options, { signal, reuse }))),
      );
    } catch (error) {
      deadline.close();
      throw error;
    }
  }

  /**
   * Hands over the events that arrive, until one batch is the last one that is wanted. What follows
   * it stays in the stream for the next call.
   *
   * @returns what became of the last batch; `undefined` at the end of the stream
   * @throws what the connection broke with, the reason of its abort, or what the receiver throws
   */
  read<R>(receiver: BatchReceiver<T, R>): Promise<R | undefined> {
    // One wait for all batches: a wait for each would cost as much as a small event.
    return this.deadline.wait(this.#read(receiver));
  }

  async #read<R>({ receive, waitForRoom }: BatchReceiver<T, R>): Promise<R | undefined> {
    for (;;) {
      const room = waitForRoom?.();
      if (room !== undefined) {
        this.deadline.endWait();
        await room;
      }
      this.deadline.beginWait();
      let next: IteratorResult<WatchEvent<T> | readonly WatchEvent<T>[], unknown>;
      try {
        next = await this.#iterator.next();
      } catch (error) {
        throw this.deadline.translate(error);
      }
      this.deadline.endWait();
      const { done, value } = next;
      // An abort has ended the wait already.
      if (done === true || this.deadline.signal.aborted) return undefined;
      const result = receive(batchOf(value));
      if (result !== undefined) return result;
    }
  }

  /** Ends the stream if it is still open. */
  close(): void {
    this.deadline.close();
    returnIterator(this.#iterator);
  }
}

/** Returns the yield of a watch as a batch. */
export function batchOf<T>(
  value: WatchEvent<T> | readonly WatchEvent<T>[],
): readonly WatchEvent<T>[] {
  return isBatch(value) ? value : [value];
}

function isBatch<T>(
  value: WatchEvent<T> | readonly WatchEvent<T>[],
): value is readonly WatchEvent<T>[] {
  return Array.isArray(value);
}

/** A lister-watcher may be a program's own and not compiled against the types. */
function iteratorOf<T>(
  stream: WatchStream<T>,
): AsyncIterator<WatchEvent<T> | readonly WatchEvent<T>[]> {
  if (typeof stream === "object" && stream !== null && Symbol.asyncIterator in stream) {
    return stream[Symbol.asyncIterator]();
  }
  throw new ListwatchError(
    "LW_NOT_A_WATCH",
    `Cannot watch: expected an async iterable of events, got ${describeValue(stream)}`,
    { advice: "Let `watch` of the lister-watcher return an async iterable of events" },
  );
}

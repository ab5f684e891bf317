import { ConnectionResetError } from "@listwatch/fake-apiserver";
import type { Timer } from "@listwatch/core-fifo";
import { recordOf, stringOf } from "@listwatch/core-fifo/base";
import type { SimulatedClock } from "@listwatch/core-fifo/testing";
import type { ProcessClock } from "./process-clock.ts";
import type { WatchFault } from "./story.ts";

/** How a watch is passed on to a process. */
export interface WatchRelay {
  readonly clock: SimulatedClock;
  readonly process: ProcessClock;
  /** Ends it at the server. */
  readonly stop: AbortController;
  /** Records that it has ended. */
  readonly end: () => void;
  readonly fault: WatchFault | undefined;
  /** When the fault happens, in milliseconds after the watch was opened. */
  readonly afterMs: number;
  /** Time that a piece of the stream takes, in milliseconds. */
  readonly delayOf: (chunk: number) => number;
  /** Additional time with the fault `watch-slow`, in milliseconds. */
  readonly lateMs: number;
  readonly compact: () => void;
  readonly note: (what: string) => void;
}

/** Passes the body of a watch on, piece by piece and in order, with its fault. */
export function relayWatch(response: Response, relay: WatchRelay): ReadableStream<Uint8Array> {
  const reader = response.body?.getReader();
  let state: "open" | "silent" | "ended" = "open";
  let planned: Timer | undefined;
  const deliveries = new Set<Timer>();
  const finish = (): void => {
    state = "ended";
    planned?.cancel();
    // Pieces that have not arrived never do.
    for (const delivery of deliveries) delivery.cancel();
    relay.end();
    relay.stop.abort(new ConnectionResetError("The watch has ended"));
  };
  return new ReadableStream<Uint8Array>({
    start: (target) => {
      const endWith = (error?: unknown): void => {
        if (state === "ended") return;
        finish();
        if (error === undefined) target.close();
        else target.error(error);
      };
      planned = planFault(relay, endWith, () => (state = "silent"));
      const { signal } = relay.stop;
      signal.addEventListener("abort", () => endWith(signal.reason), { once: true });
      if (reader === undefined) return endWith();
      void pump(reader, relay, {
        isOver: () => state === "ended",
        deliveries,
        deliver: (piece) => {
          if (state !== "open") return;
          for (const line of describePiece(piece)) relay.note(line);
          target.enqueue(piece);
        },
        endWith: (error) => {
          if (state === "open") endWith(error);
        },
      });
    },
    cancel: finish,
  });
}

function planFault(
  { afterMs, clock, compact, fault, note }: WatchRelay,
  endWith: (error?: unknown) => void,
  silence: () => void,
): Timer | undefined {
  if (fault === undefined || fault === "watch-slow") return undefined;
  return clock.setTimeout(() => {
    note(fault);
    if (fault === "watch-silence") return silence();
    if (fault === "watch-expired") compact();
    endWith(fault === "watch-reset" ? new ConnectionResetError() : undefined);
  }, afterMs);
}

interface Target {
  readonly isOver: () => boolean;
  /** Timers of the pieces that have not arrived. */
  readonly deliveries: Set<Timer>;
  readonly deliver: (piece: Uint8Array) => void;
  readonly endWith: (error?: unknown) => void;
}

async function pump(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { clock, delayOf, fault, lateMs, process }: WatchRelay,
  { deliver, deliveries, endWith, isOver }: Target,
): Promise<void> {
  let freeMs = 0;
  const later = (index: number, then: () => void): void => {
    if (isOver()) return;
    const extraMs = fault === "watch-slow" ? lateMs : 0;
    // A piece never overtakes the one before it.
    freeMs = Math.max(freeMs, clock.now() + delayOf(index) + extraMs);
    const delivery = process.setTimeout(() => {
      deliveries.delete(delivery);
      then();
    }, freeMs - clock.now());
    deliveries.add(delivery);
  };
  for (let index = 0; ; index++) {
    try {
      const { done, value } = await reader.read();
      if (done) return later(index, () => endWith());
      later(index, () => deliver(value));
    } catch (error) {
      return later(index, () => endWith(error));
    }
  }
}

const decoder = new TextDecoder();

/** Says what the whole lines of a piece tell; other pieces say nothing. */
function describePiece(piece: Uint8Array): readonly string[] {
  return decoder
    .decode(piece)
    .split("\n")
    .flatMap((line) => {
      try {
        return describeEvent(recordOf(JSON.parse(line)));
      } catch {
        return [];
      }
    });
}

function describeEvent({ object, type }: Readonly<Record<string, unknown>>): readonly string[] {
  if (type === "BOOKMARK") return [];
  const { kind, metadata } = recordOf(object);
  const { name, namespace, resourceVersion } = recordOf(metadata);
  const place = namespace === undefined ? "" : `${stringOf(namespace)}/`;
  const what = `${stringOf(type)} ${stringOf(kind)} ${place}${stringOf(name)}`;
  return [`sees ${what} at ${stringOf(resourceVersion)}`];
}

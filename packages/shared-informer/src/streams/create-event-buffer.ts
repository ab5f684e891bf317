import { defaultMaxEvents, type EventsOptions } from "./event-stream.ts";
import { CoalescingBuffer } from "./coalescing-buffer.ts";
import { PlainBuffer, type EventBuffer } from "./event-buffer.ts";
import { ResyncingBuffer, type Snapshot } from "./resyncing-buffer.ts";

/** The buffer of an overflow policy. */
export function createEventBuffer<T>(
  { max = defaultMaxEvents, overflow = "coalesce" }: EventsOptions,
  snapshot: Snapshot<T>,
): EventBuffer<T> {
  if (overflow === "block") return new PlainBuffer();
  return overflow === "resync" ? new ResyncingBuffer(max, snapshot) : new CoalescingBuffer();
}

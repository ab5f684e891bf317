import { sleep, type Clock, type Random } from "@listwatch/core-fifo";
import { isAlreadyExists, isNotFound, isStatusError, type ResourceClient } from "@listwatch/client";
import type { EventObject, EventSeries } from "./event-series.ts";

/** client-go, tools/events/event_broadcaster.go. */
const maxTries = 12;
const retryMs = 10_000;
const retryJitter = 0.25;

/** Writes a series to the server: creates its event, or patches the count. */
export class EventWriter {
  readonly #events: ResourceClient<EventObject>;
  readonly #clock: Clock;
  readonly #random: Random;

  constructor(events: ResourceClient<EventObject>, clock: Clock, random: Random) {
    this.#events = events;
    this.#clock = clock;
    this.#random = random;
  }

  /**
   * Writes a series, with retries while the server cannot be reached. After the stop it tries once.
   *
   * @throws the server's refusal, or the error of the last attempt
   */
  async write(series: EventSeries, stop: AbortSignal): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await this.#send(series);
        return;
      } catch (error) {
        const isFinal = isRefusal(series, error) || tries >= maxTries || stop.aborted;
        if (isFinal || !(await this.#pause(tries, stop))) throw error;
      }
    }
  }

  async #send(series: EventSeries): Promise<void> {
    const { count } = series;
    if (series.isCreated) await this.#patch(series);
    else await this.#create(series);
    series.noteWritten(count, this.#clock.now());
  }

  async #create(series: EventSeries): Promise<void> {
    try {
      await this.#events.create(series.object());
    } catch (error) {
      if (!isStatusError(error)) series.noteLostAnswer();
      if (!isAlreadyExists(error)) throw error;
      if (series.mayExist) {
        // An earlier attempt, whose answer was lost, created it. Its count may be older.
        series.noteCreated();
        return this.#patch(series);
      }
      // Another instance has recorded an event about this object in the same millisecond.
      series.rename(generateEventName(this.#random));
      await this.#events.create(series.object());
    }
    series.noteCreated();
  }

  async #patch(series: EventSeries): Promise<void> {
    const patch = series.patch();
    if (patch.series === undefined) return;
    try {
      await this.#events.patch(series.key, patch);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      // The event has expired on the server (after an hour by default).
      await this.#events.create(series.object());
    }
  }

  /** Waits before the next attempt. Returns `false` if the stop interrupts the wait. */
  async #pause(tries: number, stop: AbortSignal): Promise<boolean> {
    // The first pause is random, so that recorders do not retry all at once.
    const delayMs =
      tries === 1 ? retryMs * this.#random() : retryMs * (1 + this.#random() * retryJitter);
    try {
      await sleep(delayMs, { clock: this.#clock, signal: stop });
      return true;
    } catch {
      return false;
    }
  }
}

/**
 * Whether the server would refuse another attempt too. Not if an expired event reappeared before it
 * was created again: its count can be patched.
 */
function isRefusal(series: EventSeries, error: unknown): boolean {
  return isStatusError(error) && !(series.isCreated && isAlreadyExists(error));
}

/** Maximum length and form of an object's name (apimachinery `IsDNS1123Subdomain`). */
const maxNameLength = 253;
const subdomain = /^[a-z\d](?:[-a-z\d]*[a-z\d])?(?:\.[a-z\d](?:[-a-z\d]*[a-z\d])?)*$/;

/**
 * Returns the name of an event: the name of its object with a suffix or, if that is not a valid
 * name, a generated one (client-go `GenerateEventName`, tools/internal/events).
 */
export function eventNameFor(objectName: string, suffix: string, random: Random): string {
  const name = `${objectName}.${suffix}`;
  return name.length <= maxNameLength && subdomain.test(name) ? name : generateEventName(random);
}

/** Returns a random UUID (RFC 9562, version 4). */
function generateEventName(random: Random): string {
  return "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx".replaceAll(/[xy]/g, (letter) => {
    const digit = Math.floor(random() * 16);
    return (letter === "y" ? (digit % 4) + 8 : digit).toString(16);
  });
}

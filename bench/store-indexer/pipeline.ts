import { RealFIFO } from "@listwatch/core-fifo";
import { nanosecondsPer, type Benchmark } from "../framework/suite.ts";
import { NaiveQueue } from "../naive-queue.ts";
import { keyOf, NaiveStore } from "./naive-store.ts";
import { expectCount, newStore, podsOf, type Pod } from "./pods.ts";

/** Queue → store → index by namespace → one listener, without parsing. */
export function pipeline(name: string, keyCount: number, burst: number, goal: number): Benchmark {
  const events = Math.max(200_000, burst);
  const [before, after] = [podsOf(keyCount, "1"), podsOf(keyCount, "2")];
  const event = (index: number): Pod | undefined =>
    (Math.floor(index / keyCount) % 2 === 0 ? before : after)[index % keyCount];
  return {
    name: `pipeline, ${name}`,
    unit: "ns/event",
    goal,
    yardstick: {
      name: "naive",
      sample: nanosecondsPer(events, () => {
        const queue = new NaiveQueue<Pod>(keyOf);
        const store = new NaiveStore<Pod>();
        const listener = new Listener();
        return () => {
          for (let written = 0; written < events;) {
            for (const end = Math.min(written + burst, events); written < end; written += 1) {
              const pod = event(written);
              if (pod !== undefined) queue.write("Updated", pod);
            }
            while (queue.length > 0) {
              queue.pop((deltas) => {
                for (const { object } of deltas) listener.onChange(store.upsert(object), object);
              });
            }
          }
          listener.expect(events);
        };
      }),
    },
    subject: {
      name: "RealFIFO and Indexer",
      sample: nanosecondsPer(events, () => {
        const queue = new RealFIFO<Pod>();
        const store = newStore().keyed;
        const listener = new Listener();
        return () => {
          for (let written = 0; written < events;) {
            for (const end = Math.min(written + burst, events); written < end; written += 1) {
              const pod = event(written);
              if (pod !== undefined) queue.update(pod);
            }
            while (queue.length > 0) {
              void queue.pop((deltas) => {
                for (const delta of deltas) {
                  if (delta.type !== "Updated" || delta.key === undefined) continue;
                  listener.onChange(store.update(delta.key, delta.object), delta.object);
                }
              });
            }
          }
          listener.expect(events);
        };
      }),
    },
  };
}

class Listener {
  #calls = 0;
  #updates = 0;

  onChange(previous: unknown, _current: unknown): void {
    this.#calls += 1;
    if (previous !== undefined) this.#updates += 1;
  }

  expect(events: number): void {
    expectCount(this.#calls, events);
    if (this.#updates === 0) throw new Error("Expected updates, got none");
    this.#calls = 0;
  }
}

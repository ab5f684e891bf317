import { SimulatedClock } from "@listwatch/core-fifo/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  InformerView,
  type EventStream,
  type Listener,
  type InformerEvent,
  type SourceStatus,
} from "../../src/index.ts";
import { CoalescingBuffer } from "../../src/streams/buffered-event-stream.ts";
// @boundaries-ignore a file of the repository that belongs to no package
import { growth, mostOfLinear } from "../../../../tests/support/growth.ts";

interface Pod {
  readonly metadata: { readonly name: string; readonly n: number };
}

type Action = { readonly do: "delete" | "set"; readonly name: string } | { readonly do: "read" };

/** A source without a server, whose content the test sets and deletes. */
class Source {
  readonly state = new Map<string, Pod>();
  readonly lastStoreSyncResourceVersion = "";
  #listener: Listener<Pod> | undefined;
  #n = 0;

  addListener(listener: Listener<Pod>): void {
    this.#listener = listener;
    listener.sourceSynced();
  }

  async removeListener(): Promise<void> {
    await Promise.resolve();
  }

  async waitForResourceVersion(): Promise<void> {
    await Promise.resolve();
  }

  status(): SourceStatus {
    return { source: undefined, problem: undefined, queuedDeltas: 0, freshAsOfMs: 0 };
  }

  set(name: string): void {
    const object: Pod = { metadata: { name, n: ++this.#n } };
    const old = this.state.get(name);
    this.state.set(name, object);
    this.#listener?.push(
      old === undefined
        ? { type: "add", key: name, object, isInInitialList: false }
        : { type: "update", key: name, old, object },
    );
  }

  delete(name: string): void {
    const object = this.state.get(name);
    if (object === undefined) return;
    this.state.delete(name);
    this.#listener?.push({ type: "delete", key: name, stale: false, object });
  }
}

/** Applies an event, and returns an error if it contradicts the earlier events. */
function take(known: Map<string, Pod>, event: InformerEvent<Pod>): string | undefined {
  const before = known.get(event.key);
  if (event.type === "delete") known.delete(event.key);
  else known.set(event.key, event.object);
  if (event.type === "add") return before === undefined ? undefined : "an add of something known";
  if (before === undefined) return `${event.type} of something unknown`;
  return event.type === "update" && event.old !== before ? "old is not the last object" : undefined;
}

const actions = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant("set" as const), name: names() }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("delete" as const), name: names() }) },
    { weight: 3, arbitrary: fc.constant({ do: "read" as const }) },
  ),
  { maxLength: 60 },
);

function names(): fc.Arbitrary<string> {
  return fc.constantFrom("a", "b", "c");
}

/** At most four names, so a difference has at most four adds or updates and four deletes. */
type EventsOptions = NonNullable<Parameters<InformerView<unknown>["events"]>[0]>;
type OverflowPolicy = NonNullable<EventsOptions["overflow"]>;

const longestBacklog: Readonly<Record<OverflowPolicy, (max: number) => number>> = {
  block: () => Infinity,
  coalesce: () => 4,
  resync: (max) => max + 8,
};

/** Reads a stream event by event, and never waits for one that may not come. */
class Reader {
  readonly known = new Map<string, Pod>();
  readonly problems: string[] = [];
  readonly #stream: EventStream<Pod>;
  #isReading = false;

  constructor(stream: EventStream<Pod>) {
    this.#stream = stream;
  }

  get isAtEnd(): boolean {
    return this.known.has("last") && this.#stream.backlog === 0;
  }

  async read(): Promise<void> {
    if (!this.#isReading) void this.#readOne();
    for (let left = 5; left > 0; left--) await Promise.resolve();
  }

  async #readOne(): Promise<void> {
    this.#isReading = true;
    const { value } = await this.#stream.next();
    this.#isReading = false;
    const problem = value === undefined ? "no event" : take(this.known, value);
    if (problem !== undefined) this.problems.push(problem);
  }
}

const policies: readonly OverflowPolicy[] = ["block", "coalesce", "resync"];

describe.each(policies)("events with the policy %s", (overflow) => {
  test("bring a reader to the current state with a legal history, however it reads", async () => {
    await fc.assert(
      fc.asyncProperty(actions, fc.integer({ min: 1, max: 5 }), async (script, max) => {
        const source = new Source();
        await using view = new InformerView<Pod>([source], { clock: new SimulatedClock() });
        void view.run();
        const stream = view.events({ overflow, max });
        const reader = new Reader(stream);
        await reader.read();
        let longest = 0;
        for (const action of script as readonly Action[]) {
          if (action.do === "read") await reader.read();
          else source[action.do](action.name);
          longest = Math.max(longest, stream.backlog);
        }
        source.set("last");
        for (let left = 100; left > 0 && !reader.isAtEnd; left--) await reader.read();
        expect(reader.problems).toEqual([]);
        expect(reader.known).toEqual(source.state);
        expect(longest).toBeLessThanOrEqual(longestBacklog[overflow](max));
        await stream.return?.();
      }),
      { numRuns: 300 },
    );
  });
});

test("a reader that fell behind reads the events of many keys in linear time", async () => {
  const ratio = await growth(2000, (size) => {
    const events = Array.from({ length: size }, (_, n) => {
      const object: Pod = { metadata: { name: `pod ${n}`, n } };
      return { type: "add", key: object.metadata.name, object, isInInitialList: false } as const;
    });
    return () => {
      const buffer = new CoalescingBuffer<Pod>();
      for (const event of events) buffer.push(event);
      let read = 0;
      while (buffer.shift()?.key === events[read]?.key && read < size) read++;
      expect([read, buffer.length]).toEqual([size, 0]);
    };
  });
  expect(ratio).toBeLessThan(mostOfLinear);
});

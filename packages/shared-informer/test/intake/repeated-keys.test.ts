import { silentLog, type KubernetesObject } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { describe, expect, test } from "vitest";
import { SharedInformer } from "../../src/index.ts";

function objectOf(name: string, resourceVersion: string): KubernetesObject {
  return { metadata: { name, namespace: "shop", uid: `${name}-uid`, resourceVersion } };
}

const twice = [objectOf("a", "5"), objectOf("b", "4"), objectOf("a", "6")];

/** Returns the events of an informer over one list, or two pages, and a watch. */
async function eventsOf(
  items: readonly KubernetesObject[],
  events: readonly KubernetesObject[],
  { isPaged = false, transform = (object: KubernetesObject): KubernetesObject => object } = {},
): Promise<readonly string[]> {
  const clock = new SimulatedClock();
  const stop = new AbortController();
  const informer = new SharedInformer<KubernetesObject>({
    cache: { transform },
    clock,
    list: { watchList: false },
    listerWatcher: {
      list: async ({ continue: token }) => {
        if (!isPaged) return { metadata: { resourceVersion: "9" }, items };
        const metadata = { resourceVersion: "9", ...(token ? {} : { continue: "next" }) };
        return { metadata, items: token ? items.slice(2) : items.slice(0, 2) };
      },
      watch: async (_, options) => ({
        async *[Symbol.asyncIterator]() {
          for (const object of events) yield { type: "ADDED" as const, object };
          await new Promise((resolve) => {
            options?.signal?.addEventListener("abort", resolve);
          });
        },
      }),
    },
    telemetry: { log: silentLog },
  });
  const calls: string[] = [];
  informer.addEventHandler({
    onAdd: ({ metadata }) => calls.push(`add ${metadata?.name} ${metadata?.resourceVersion}`),
    onUpdate: (old, { metadata }) =>
      calls.push(
        `update ${metadata?.name} ${old.metadata?.resourceVersion} ${metadata?.resourceVersion}`,
      ),
    onDelete: ({ key }) => calls.push(`delete ${key}`),
  });
  const ended = informer.run(stop.signal);
  await clock.advance(1000);
  stop.abort();
  await ended;
  return calls.toSorted();
}

describe("a key that comes twice", () => {
  test.each([[false], [true]])("in a list is added once (in pages: %s)", async (isPaged) => {
    expect(await eventsOf(twice, [], { isPaged })).toEqual(["add a 6", "add b 4"]);
  });

  test("because of a transform is added once", async () => {
    const transform = ({ metadata }: KubernetesObject): KubernetesObject => ({
      metadata: { ...metadata, name: "one", uid: "one-uid" },
    });
    expect(await eventsOf(twice, [], { transform })).toEqual(["add one 6"]);
  });

  test("as ADDED is an update the second time", async () => {
    const events = [objectOf("c", "10"), objectOf("c", "11"), objectOf("a", "12")];
    expect(await eventsOf(twice, events)).toEqual([
      "add a 6",
      "add b 4",
      "add c 10",
      "update a 6 12",
      "update c 10 11",
    ]);
  });
});

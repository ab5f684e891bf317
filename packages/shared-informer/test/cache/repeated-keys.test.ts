import { silentLog } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { expect, test } from "vitest";
import { clientGoInformerBehaviour, SharedInformer } from "../../src/index.ts";
import type { ConfigMap } from "../support/cluster.ts";
import { recorder } from "../support/informer.ts";

const named = (name: string, resourceVersion: string, n: string): ConfigMap => ({
  metadata: { namespace: "shop", name, uid: name, resourceVersion },
  data: { n },
});

/**
 * Lists an object twice, as a server that merges collections may, and then again with another
 * state.
 */
async function eventsOf(isLikeClientGo: boolean): Promise<{ first: string[]; second: string[] }> {
  const clock = new SimulatedClock();
  const lists = [
    [named("a", "1", "1"), named("b", "2", "1"), named("a", "3", "2")],
    [named("a", "3", "2"), named("a", "5", "3"), named("b", "2", "1")],
  ];
  let endWatch = (): void => undefined;
  let version = 10;
  await using informer = new SharedInformer<ConfigMap>({
    clock,
    behaviour: isLikeClientGo ? clientGoInformerBehaviour : undefined,
    telemetry: { log: silentLog },
    onError: () => undefined,
    listerWatcher: {
      watchListSupported: false,
      list: async () => ({
        metadata: { resourceVersion: String(version++) },
        items: lists.shift() ?? [],
      }),
      watch: async () => {
        const ended = new Promise<void>((resolve) => (endWatch = resolve));
        return (async function* () {
          await ended;
          yield { type: "ERROR", object: { kind: "Status", code: 410 } } as const;
        })();
      },
    },
  });
  const events: string[] = [];
  informer.addEventHandler(recorder(events), { changesOnly: true });
  void informer.run();
  await clock.advance(2000);
  const first = events.splice(0);
  endWatch();
  await clock.advance(10_000);
  expect(informer.store.getByKey("shop/a")?.data).toEqual({ n: "3" });
  return { first, second: events };
}

test("a key that is twice in a list is delivered once, with its last state", async () => {
  expect(await eventsOf(false)).toEqual({
    first: ["add b initially", "add a initially"],
    second: ["update a 2 3"],
  });
});

test("with client-go's behaviour it is delivered twice", async () => {
  const { first } = await eventsOf(true);
  expect(first).toEqual(["add a initially", "add b initially", "add a initially"]);
});

import type { WatchEvent, WatchOptions } from "@listwatch/client";
import { silentLog, type KubernetesObject } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { clientGoBehaviour, Reflector, type ReflectorOptions } from "@listwatch/reflector";
import { expect, test } from "vitest";
import { MapStore } from "../support/running.ts";

const named = (name: string, resourceVersion: string): KubernetesObject => ({
  metadata: { name, namespace: "shop", uid: name, resourceVersion },
});

/** Runs against a server that deletes an object with its last version; returns where it resumes. */
async function resumptions(
  behaviour?: ReflectorOptions<KubernetesObject>["behaviour"],
): Promise<{ from: (string | undefined)[]; keys: string[] }> {
  const clock = new SimulatedClock();
  const from: (string | undefined)[] = [];
  const first: WatchEvent<KubernetesObject>[] = [
    { type: "MODIFIED", object: named("b", "12") },
    { type: "DELETED", object: named("a", "7") },
  ];
  const store = new MapStore<KubernetesObject>();
  const reflector = new Reflector<KubernetesObject>({
    clock,
    store,
    behaviour,
    log: silentLog,
    listerWatcher: {
      watchListSupported: false,
      list: async () => ({
        metadata: { resourceVersion: "10" },
        items: [named("a", "7"), named("b", "9")],
      }),
      watch: async ({ resourceVersion }: WatchOptions) => {
        from.push(resourceVersion);
        const events = from.length === 1 ? first : [];
        return (async function* () {
          yield* events;
          if (from.length > 1) await new Promise<void>(() => undefined);
        })();
      },
    },
  });
  const stop = new AbortController();
  const ended = reflector.run(stop.signal);
  await clock.advance(10_000);
  const keys = [...store.objects.keys()];
  stop.abort();
  await ended;
  return { from, keys };
}

test("a deletion with the last version of its object does not turn the watch back", async () => {
  expect(await resumptions()).toEqual({ from: ["10", "12"], keys: ["shop/b"] });
});

test("with client-go's behaviour the watch resumes from that version", async () => {
  const { from } = await resumptions(clientGoBehaviour);
  expect(from).toEqual(["10", "7"]);
});

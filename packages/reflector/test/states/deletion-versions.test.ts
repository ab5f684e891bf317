import type { WatchEvent, WatchOptions } from "@listwatch/client";
import { silentLog, type KubernetesObject } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { clientGoBehaviour, Reflector, type ReflectorOptions } from "@listwatch/reflector";
import { expect, test } from "vitest";
import { MapStore } from "../support/running.ts";

const named = (name: string, resourceVersion: string): KubernetesObject => ({
  metadata: { name, namespace: "shop", uid: name, resourceVersion },
});

/** Deletes an object with its last version. */
const deletion: WatchEvent<KubernetesObject> = { type: "DELETED", object: named("a", "7") };

/** Runs against a server that sends this after version 12; returns where the watch resumes. */
async function resumptions(
  event: WatchEvent<KubernetesObject> = deletion,
  behaviour?: ReflectorOptions<KubernetesObject>["behaviour"],
): Promise<{ from: (string | undefined)[]; keys: string[]; calls: string[] }> {
  const clock = new SimulatedClock();
  const from: (string | undefined)[] = [];
  const first: WatchEvent<KubernetesObject>[] = [
    { type: "MODIFIED", object: named("b", "12") },
    event,
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
  return { from, keys, calls: store.calls };
}

test("a deletion with the last version of its object does not turn the watch back", async () => {
  const { calls, from, keys } = await resumptions();
  expect({ from, keys }).toEqual({ from: ["10", "12"], keys: ["shop/b"] });
  expect(calls.slice(1)).toEqual(["update shop/b", "delete shop/a"]);
});

test.each<[WatchEvent<KubernetesObject>["type"], KubernetesObject]>([
  ["ADDED", named("c", "8")],
  ["MODIFIED", named("b", "11")],
])("neither does another event with a lower version: %s", async (type, object) => {
  const { from } = await resumptions({ type, object });
  expect(from).toEqual(["10", "12"]);
});

test("a bookmark with a lower version causes a list, and no watch from there", async () => {
  const { from } = await resumptions({ type: "BOOKMARK", object: named("", "7") });
  expect(from).toEqual(["10", "10"]);
});

test("with client-go's behaviour the watch resumes from that version", async () => {
  const { from } = await resumptions(deletion, clientGoBehaviour);
  expect(from).toEqual(["10", "7"]);
});

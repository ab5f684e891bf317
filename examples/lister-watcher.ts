import { RealFIFO, Reflector, type ListerWatcher } from "listwatch";

interface Sensor {
  metadata: { name: string; resourceVersion: string };
  celsius: number;
}
function attic(resourceVersion: string, celsius: number): Sensor {
  return { metadata: { name: "attic", resourceVersion }, celsius };
}

const sensors: ListerWatcher<Sensor> = {
  list: async () => ({
    metadata: { resourceVersion: "7" },
    items: [attic("7", 21)],
  }),
  watch: async () => ({
    async *[Symbol.asyncIterator]() {
      yield { type: "MODIFIED", object: attic("8", 24) } as const;
      await new Promise(() => {}); // No further events.
    },
  }),
  watchListSupported: false,
};

const store = new RealFIFO<Sensor>();
const reflector = new Reflector({ listerWatcher: sensors, store });
const stop = new AbortController();
void reflector.run(stop.signal);

await store.pop(([delta]) => console.log(delta?.type));
await store.pop(([delta]) => {
  if (delta?.type !== "Updated") return;
  console.log(delta.key, delta.object.celsius);
});
console.log(reflector.status().phase, reflector.lastSyncResourceVersion);
stop.abort();

// A reconcile that ignores its signal holds up the stop of the whole process.
import { createConnection, createManager, silentLog } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { configmaps } from "listwatch/resources/core/v1";
import { SimulatedClock } from "listwatch/testing";

const clock = new SimulatedClock();
const { fetch } = new FakeApiServer({ clock }); // instead of a cluster
const manager = createManager(createConnection({ server: "http://cluster", fetch }), {
  name: "greeter",
  signals: false,
  server: false,
  clock,
  telemetry: {
    log: {
      ...silentLog,
      warn: (message, fields) => console.log("log:", message, String(fields?.["keys"])),
    },
  },
});
const begun = Promise.withResolvers<void>();
const other = Promise.withResolvers<void>();
manager.controller({
  for: configmaps,
  reconcile: async (key) => {
    console.log("reconcile", key);
    begun.resolve();
    await other.promise; // Has no regard to its signal.
  },
});
const metadata = { namespace: "default", name: "settings" };
await manager.client.resource(configmaps).create({ metadata });
const stop = new AbortController();
const ended = manager.run(stop.signal);
await begun.promise;
stop.abort();
await clock.advance(20_000); // After 25 s a process without `signals: false` would exit.
other.resolve();
console.log("stopped by", (await ended).by);

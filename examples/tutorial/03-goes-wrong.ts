// Three changes, one call: a reconcile must not count its calls.
import { Controller, createClient, createConnection, SharedInformerFactory } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { configmaps } from "listwatch/resources/core/v1";

const { fetch } = new FakeApiServer(); // instead of a cluster
const connection = createConnection({ server: "http://cluster", fetch });
const maps = createClient(connection).resource(configmaps);
await maps.create({ metadata: { namespace: "default", name: "steps" }, data: { step: "0" } });

const factory = new SharedInformerFactory({ connection });
const informer = factory.informer(configmaps, { namespace: "default" });
const begun = Promise.withResolvers<void>();
const busy = Promise.withResolvers<void>();
const done = Promise.withResolvers<void>();
const controller = new Controller({
  informer,
  reconcile: async (_key, { object }) => {
    console.log("reconcile sees step", object?.data?.["step"]);
    begun.resolve();
    if (object?.data?.["step"] === "3") done.resolve();
    await busy.promise; // The first call takes long.
  },
});
const stop = new AbortController();
factory.start();
const ended = controller.run(stop.signal);
await begun.promise;

let last;
for (const step of ["1", "2", "3"]) last = await maps.patch("default/steps", { data: { step } });
if (last !== undefined) await informer.waitForObject(last);
busy.resolve();
await done.promise;
stop.abort();
await ended;
await factory[Symbol.asyncDispose]();

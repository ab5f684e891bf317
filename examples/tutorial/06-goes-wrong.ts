// A finalizer that is removed before the work is done leaves the work undone.
import { createClient, createConnection, withFinalizer } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { configmaps } from "listwatch/resources/core/v1";

const { fetch } = new FakeApiServer(); // instead of a cluster
const connection = createConnection({ server: "http://cluster", fetch });
const maps = createClient(connection).resource(configmaps);
const finalizer = "example.com/guest";
const guests = new Set(["default/early", "default/late"]);
let isAway = true; // The list of guests cannot be reached.
async function remove(key: string) {
  if (isAway) throw new Error("the list of guests is away");
  guests.delete(key);
}
for (const name of ["early", "late"]) {
  await maps.create({ metadata: { namespace: "default", name, finalizers: [finalizer] } });
  await maps.delete(`default/${name}`); // Only marked: it has a finalizer.
}

// Wrong: removes the finalizer, then cleans up.
await maps.patch("default/early", { metadata: { finalizers: null } });
await remove("default/early").catch(() => {}); // There is no object to try again with.

// Right: `withFinalizer` removes the finalizer after the clean-up.
const late = await maps.get("default/late");
const steps = { finalizer, apply: async () => {}, cleanup: () => remove("default/late") };
await withFinalizer(maps, late, steps).catch((error: Error) =>
  console.log("again, since", error.message),
);
isAway = false;
await withFinalizer(maps, late, steps);
console.log("left on the list:", [...guests].join());

// Plain JavaScript with the installed package, no test runner or types.
import { createClient } from "@listwatch/client";
import { simulate } from "@listwatch/testing";

const fail = (message) => {
  throw new Error(`smoke: ${message}`);
};

const maps = { group: "", version: "v1", resource: "configmaps", kind: "ConfigMap" };
const scenario = {
  name: "a program that is started twice",
  start: async ({ clock, connection, number, random, signal }) => {
    const draft = { metadata: { namespace: "a", name: `life-${number}` } };
    await createClient(connection, { clock, random })
      .resource(maps)
      .create(draft)
      .catch(() => {});
    if (!signal.aborted) await new Promise((resolve) => (signal.onabort = resolve));
  },
  never: { "a second life": (state) => state.get(maps, "a/life-1") !== undefined },
};
const error = await simulate(scenario, { seeds: 50 }).catch((reason) => reason);
if (error.invariant !== "never: a second life") fail(`found ${error.invariant ?? error}`);
if (error.story.upsets.length !== 1) fail(`${error.story.upsets.length} upsets`);
console.log("ok");

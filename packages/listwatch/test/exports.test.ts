import * as client from "@listwatch/client";
import * as controller from "@listwatch/controller";
import * as coreFifo from "@listwatch/core-fifo";
import * as simulated from "@listwatch/core-fifo/testing";
import * as fakeApiserver from "@listwatch/fake-apiserver";
import * as manager from "@listwatch/manager";
import * as reflector from "@listwatch/reflector";
import * as sharedInformer from "@listwatch/shared-informer";
import * as storeIndexer from "@listwatch/store-indexer";
import * as streamsLayer from "@listwatch/streams";
import * as telemetryLayer from "@listwatch/telemetry";
import * as simulation from "@listwatch/testing";
import * as webhooksLayer from "@listwatch/webhooks";
import * as workqueue from "@listwatch/workqueue";
import * as all from "listwatch";
import * as fake from "listwatch/fake-apiserver";
import * as streams from "listwatch/streams";
import * as telemetry from "listwatch/telemetry";
import * as testing from "listwatch/testing";
import * as webhooks from "listwatch/webhooks";
import { expect, test } from "vitest";

const layers = {
  coreFifo,
  storeIndexer,
  workqueue,
  client,
  reflector,
  sharedInformer,
  controller,
  manager,
};

/** A module's exports. `export *` drops a name that two modules export. */
function exportsOf(module: object): [name: string, value: unknown][] {
  return Object.entries(module);
}

test("the package exports everything of every layer, under the same name", () => {
  const exported = new Map(exportsOf(all));
  const names = new Set<string>();
  for (const [layer, module] of Object.entries(layers)) {
    for (const [name, value] of exportsOf(module)) {
      names.add(name);
      expect(exported.get(name), `${name} of ${layer}`).toBe(value);
    }
  }
  expect([...exported.keys()].toSorted()).toEqual([...names].toSorted());
});

test("sub-paths re-export their packages", () => {
  expect(exportsOf(fake)).toEqual(exportsOf(fakeApiserver));
  expect(exportsOf(testing)).toEqual(exportsOf(simulation));
  expect(testing).toMatchObject({ ...simulated });
  expect(exportsOf(streams)).toEqual(exportsOf(streamsLayer));
  expect(exportsOf(telemetry)).toEqual(exportsOf(telemetryLayer));
  expect(exportsOf(webhooks)).toEqual(exportsOf(webhooksLayer));
});

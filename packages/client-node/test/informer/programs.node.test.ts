import { makeInformer as makeTheirs, type KubeConfig } from "@kubernetes/client-node";
import { makeInformer as makeOurs } from "@listwatch/client-node";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import type { Listener } from "@listwatch/fake-apiserver/node";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  followPods,
  followSelectedPods,
  readCache,
  type ProgramParts,
} from "../support/client-node-programs.ts";
import { configFor, listenHere } from "../support/world.ts";

const imports: readonly { readonly from: string; readonly make: ProgramParts["make"] }[] = [
  { from: "@kubernetes/client-node", make: (...values) => makeTheirs(...values) },
  { from: "@listwatch/client-node", make: (...values) => makeOurs(...values) },
];

let config: KubeConfig;
let listener: Listener;
beforeEach(async () => {
  listener = await listenHere(new FakeApiServer({ seed: 1 }));
  config = configFor(listener.url);
});
afterEach(() => listener.close());

describe.each(imports)("a program with makeInformer from $from (MKI-1)", ({ make }) => {
  test("prints the changes of pods", async () => {
    expect(await followPods({ config, make, namespace: "default" })).toEqual([
      "added first",
      "added second",
      "updated first api",
      "updated second web",
      "deleted second",
    ]);
  });

  test("prints the pods that a label selector selects", async () => {
    expect(await followSelectedPods({ config, make, namespace: "default" })).toEqual([
      "connected",
      "added selected",
    ]);
  });

  test("reads a cache by namespace and by name", async () => {
    const lines = await readCache({ config, make, namespace: "default" });
    expect(lines).toEqual(["cached", "web", "not there"]);
  });
});

import * as fc from "fast-check";
import { createClient, createConnection } from "@listwatch/client";
import { Controller } from "@listwatch/controller";
import { DeltaFIFO, InvalidOptionsError, RealFIFO } from "@listwatch/core-fifo";
import { SharedInformer } from "@listwatch/shared-informer";
import { Indexer } from "@listwatch/store-indexer";
import { WorkQueue } from "@listwatch/workqueue";
import { anyJson } from "../anything.ts";
import { fuzzTarget, type AnyTarget } from "../target.ts";

const unused = (): never => {
  throw new Error("unused");
};
const listerWatcher = { list: unused, watch: unused };
const connection = createConnection({ server: "http://server", fetch: unused });

/** Constructors with their required options, which no input replaces. */
const takers: Readonly<Record<string, (options: object) => unknown>> = {
  Controller: (options) => new Controller({ ...options, reconcile: unused }),
  DeltaFIFO: (options) => new DeltaFIFO(options),
  Indexer: (options) => new Indexer(options),
  RealFIFO: (options) => new RealFIFO(options),
  SharedInformer: (options) => new SharedInformer({ ...options, listerWatcher }),
  WorkQueue: (options) => new WorkQueue(options),
  createClient: (options) => createClient(connection, options),
};
const names = [
  "cache",
  "clock",
  "constructor",
  "limits",
  "list",
  "name",
  "queue",
  "resyncMs",
  "toString",
  "wokers",
  "workers",
];

/** Options of any names and values are taken, or refused by name: no other error appears. */
export const options: AnyTarget = fuzzTarget({
  name: "options",
  inputs: fc.record({
    taker: fc.constantFrom(...Object.keys(takers)),
    options: fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), anyJson, {
      maxKeys: 3,
    }),
  }),
  check: ({ taker, options: given }) => {
    try {
      takers[taker]?.(given);
    } catch (error) {
      if (error instanceof InvalidOptionsError) return;
      throw error;
    }
  },
});

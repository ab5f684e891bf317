import { expect, test } from "vitest";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { filteringHandler, InformerView, ProcessorListener } from "../../src/index.ts";
// @boundaries-ignore a file of the repository that belongs to no package
import { foreignPromise } from "../../../../tests/support/foreign-promise.ts";
import { Cluster } from "../support/cluster.ts";
import { informerOf } from "../support/informer.ts";

test.each([[false], [true]])(
  "a foreign promise of a callback is awaited (a function with then: %s)",
  async (isFunction) => {
    const clock = new SimulatedClock();
    const calls: string[] = [];
    const errors: unknown[] = [];
    const first = foreignPromise(isFunction);
    const listener = new ProcessorListener<{ readonly name: string }>(
      {
        onAdd: ({ name }) => {
          calls.push(name);
          return name === "a" ? first.promise : undefined;
        },
      },
      { clock, onHandlerError: (error) => errors.push(error) },
    );
    const stop = new AbortController();
    const ended = listener.run(stop.signal);
    for (const name of ["a", "b"]) {
      listener.push({ type: "add", key: name, object: { name }, isInInitialList: false });
    }
    await clock.settle();
    expect(calls).toEqual(["a"]);
    first.reject(new Error("no"));
    await clock.settle();
    expect([calls, errors]).toEqual([["a", "b"], [new Error("no")]]);
    stop.abort();
    await ended;
  },
);

test("a filter that returns a promise selects nothing, and the error is reported", async () => {
  const cluster = new Cluster();
  await cluster.create("shop/a");
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  await using informer = informerOf(cluster, { onError });
  const filter = (): never => Promise.reject(new Error("later")) as never;
  const view = new InformerView([informer], { clock: cluster.clock, filter, onError });
  const calls: unknown[] = [];
  informer.addEventHandler(filteringHandler({ onAdd: (object) => calls.push(object) }, { filter }));
  const ended = Promise.all([informer.run(), view.run()]);
  await view.synced;
  await cluster.clock.settle();
  expect([view.store.listKeys(), calls]).toEqual([[], []]);
  expect(errors.map(String)).toEqual([
    expect.stringContaining("expected true or false, got a promise"),
    expect.stringContaining("expected true or false, got a promise"),
  ]);
  expect(view.status().problem?.keys).toEqual(["shop/a"]);
  await informer[Symbol.asyncDispose]();
  await ended;
});

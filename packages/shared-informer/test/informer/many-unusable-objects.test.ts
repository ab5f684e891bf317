import { TransformError } from "@listwatch/core-fifo";
import { IndexFunctionError } from "@listwatch/store-indexer";
import { expect, test } from "vitest";
import { SharedInformer, type SharedInformerOptions } from "../../src/index.ts";
import { Cluster, type ConfigMap } from "../support/cluster.ts";

type Options = Partial<SharedInformerOptions<ConfigMap, Record<"color", string>>>;

const count = 1200;

const fail = (): never => {
  throw new TypeError("it has no data");
};

const failing: readonly [
  what: string,
  options: Options,
  error: typeof IndexFunctionError | typeof TransformError,
][] = [
  ["cannot be indexed", { indexers: { color: fail } }, IndexFunctionError],
  ["cannot be transformed", { cache: { transform: fail } }, TransformError],
];

test.each(failing)(
  "objects that %s are all counted, and 1000 of their errors kept",
  async (_, options, error) => {
    const cluster = new Cluster();
    for (let index = 0; index < count; index++) await cluster.create(`shop/bad-${index}`, {});
    const errors: unknown[] = [];
    await using informer = new SharedInformer({
      listerWatcher: cluster.source(),
      clock: cluster.clock,
      random: cluster.random,
      onError: (failure) => void errors.push(failure),
      ...options,
    });
    void informer.run();
    await informer.synced;
    await cluster.clock.settle();
    expect(errors).toHaveLength(1000);
    expect(errors[0]).toBeInstanceOf(error);
    expect(informer.status().problem).toMatchObject({ attempts: count, error: errors[0] });
    expect(informer.status().problem?.keys).toHaveLength(10);

    for (let index = 0; index < count - 1; index++) await cluster.delete(`shop/bad-${index}`);
    await cluster.clock.settle();
    expect(informer.status().problem).toMatchObject({ attempts: 1 });
    await cluster.delete(`shop/bad-${count - 1}`);
    await cluster.clock.settle();
    expect(informer.status().problem).toBeUndefined();
  },
);

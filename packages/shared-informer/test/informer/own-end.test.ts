import { describe, expect, test } from "vitest";
import type {
  HandlerRegistration,
  SharedInformer,
  SharedInformerFactory,
} from "../../src/index.ts";
import { Cluster } from "../support/cluster.ts";
import { configMaps, factoryOf } from "../support/factory.ts";

interface Parts {
  readonly factory: SharedInformerFactory;
  readonly informer: SharedInformer;
  readonly registration: HandlerRegistration;
}

const ends: Readonly<Record<string, (parts: Parts) => PromiseLike<void>>> = {
  "registration.remove()": ({ registration }) => registration.remove(),
  "the disposal of the registration": ({ registration }) => registration[Symbol.asyncDispose](),
  "the disposal of the informer": ({ informer }) => informer[Symbol.asyncDispose](),
  "factory.release()": ({ factory, informer }) => factory.release(informer),
  "factory.shutdown()": ({ factory }) => factory.shutdown(),
  "the disposal of the factory": ({ factory }) => factory[Symbol.asyncDispose](),
};

interface Handled {
  readonly errors: unknown[];
  /** Callbacks that have returned. */
  readonly returned: string[];
}

/** Runs a callback for the first object, in a handler of an informer, until everything has ended. */
async function handle(callback: (parts: Parts) => unknown): Promise<Handled> {
  const cluster = new Cluster();
  await cluster.create("shop/a");
  const errors: unknown[] = [];
  const factory = factoryOf(cluster, {
    informers: { onError: (error) => void errors.push(error) },
  });
  const informer = factory.informer(configMaps);
  const returned: string[] = [];
  const registration: HandlerRegistration = informer.addEventHandler({
    onAdd: async ({ metadata }) => {
      try {
        await callback({ factory, informer, registration });
      } finally {
        returned.push(metadata?.name ?? "");
      }
    },
  });
  factory.start();
  await cluster.clock.settle();
  await factory[Symbol.asyncDispose]();
  expect(informer.phase).toBe("stopped");
  return { errors, returned };
}

describe.each(Object.entries(ends))("%s inside a callback", (_, end) => {
  test("rejects if it is awaited, and has ended the handler", async () => {
    const { errors, returned } = await handle(async (parts) => {
      await end(parts);
    });
    expect(errors).toEqual([
      expect.objectContaining({
        code: "LW_WAITS_FOR_ITSELF",
        advice: expect.stringContaining("without await"),
      }),
    ]);
    expect(returned).toEqual(["a"]);
  });

  test("rejects if the callback returns it", async () => {
    const { errors, returned } = await handle(end);
    expect(errors).toEqual([expect.objectContaining({ code: "LW_WAITS_FOR_ITSELF" })]);
    expect(returned).toEqual(["a"]);
  });

  test("ends the handler without an error if it is not awaited", async () => {
    const { errors, returned } = await handle((parts) => void end(parts));
    expect(errors).toEqual([]);
    expect(returned).toEqual(["a"]);
  });

  test("rejects also when it is called twice", async () => {
    const { errors, returned } = await handle(async (parts) => {
      void end(parts);
      await parts.informer[Symbol.asyncDispose]();
    });
    expect(errors).toEqual([expect.objectContaining({ code: "LW_WAITS_FOR_ITSELF" })]);
    expect(returned).toEqual(["a"]);
  });
});

test("a callback can wait for the end of another handler", async () => {
  const cluster = new Cluster();
  await cluster.create("shop/a");
  const factory = factoryOf(cluster);
  const informer = factory.informer(configMaps);
  const other = informer.addEventHandler({});
  let isRemoved = false;
  informer.addEventHandler({
    onAdd: async () => {
      await other.remove();
      isRemoved = true;
    },
  });
  factory.start();
  await cluster.clock.settle();
  expect(isRemoved).toBe(true);
  await factory[Symbol.asyncDispose]();
});

test("an error hook, an index function and keep can end their informer", async () => {
  const cluster = new Cluster();
  await cluster.create("shop/a");
  const factory = factoryOf(cluster);
  const settled: string[] = [];
  const end = (name: string): void => {
    void informer[Symbol.asyncDispose]().then(() => settled.push(name));
  };
  const informer = factory.informer(configMaps, {
    cache: { keep: () => (end("keep"), true) },
    onError: () => end("onError"),
    indexers: {
      all: () => {
        end("index function");
        throw new Error("broken");
      },
    },
  });
  factory.start();
  await cluster.clock.settle();
  await factory[Symbol.asyncDispose]();
  expect(informer.phase).toBe("stopped");
  expect(settled).toContain("keep");
});

test("a shutdown after a start without a signal ends", async () => {
  const cluster = new Cluster();
  const factory = factoryOf(cluster);
  const informer = factory.informer(configMaps);
  factory.start();
  await factory.shutdown();
  expect(informer.phase).toBe("stopped");
});

import type { ResourceReference } from "@listwatch/client";
import { describe, expect, test } from "vitest";
import type { FactoryInformerOptions, SharedInformerFactory } from "../../src/index.ts";
import { Cluster, type ConfigMap } from "../support/cluster.ts";
import { configMaps, factoryOf } from "../support/factory.ts";
import { LineLog } from "../support/lines.ts";

type Options = FactoryInformerOptions<ConfigMap, Record<string, string>>;

const resource: ResourceReference<ConfigMap> = configMaps;

function createFactory(informers: object = {}): [SharedInformerFactory, LineLog] {
  const log = new LineLog();
  return [factoryOf(new Cluster(), { log, informers }), log];
}

function dropData(object: ConfigMap): ConfigMap {
  return { ...object, data: {} };
}
const dropLabels = (object: ConfigMap): ConfigMap => object;
const isWeb = (): boolean => true;
const onError = (): void => {};
const byNode = (): string => "node";
const byZone = (): string => "zone";

const differences: readonly [option: string, first: Options, second: Options][] = [
  ["cache.transform", { cache: { transform: dropData } }, { cache: { transform: dropLabels } }],
  ["cache.transform", {}, { cache: { transform: dropLabels } }],
  ["cache.keep", { cache: { keep: () => true } }, { cache: { keep: isWeb } }],
  ["cache.keyFunc", {}, { cache: { keyFunc: byNode } }],
  ["cache.freeze", {}, { cache: { freeze: false } }],
  ["cache.detectRecreate", {}, { cache: { detectRecreate: false } }],
  ["resyncMs", { resyncMs: 1000 }, { resyncMs: 5000 }],
  ["resyncMs", {}, { resyncMs: 5000 }],
  ["resyncMs", { resyncMs: 1000 }, { resyncMs: 0 }],
  ["onError", {}, { onError }],
  ["list.pageSize", { list: { pageSize: 10 } }, { list: { pageSize: 20 } }],
  ["watch.silenceMs", {}, { watch: { silenceMs: 90_000 } }],
  ["retry.maxRetryAfterMs", {}, { retry: { maxRetryAfterMs: 5000 } }],
  ["indexers.node", { indexers: { node: byNode } }, { indexers: { node: byZone } }],
  ["indexers.namespace", {}, { indexers: { namespace: byZone } }],
];

describe("a later request of an informer", () => {
  test.each(differences)("with another %s is logged once", (option, first, second) => {
    const [factory, log] = createFactory();
    const informer = factory.informer(resource, first);
    expect(log.lines).toEqual([]);
    expect(factory.informer(resource, second)).toBe(informer);
    factory.informer(resource, second);
    expect(log.lines).toMatchObject([
      {
        level: "warn",
        message: "Option of a shared informer is ignored",
        fields: { informer: "v1/configmaps", option },
      },
    ]);
  });

  test("is logged with the values of both requests", () => {
    const [factory, log] = createFactory({ resyncMs: 60_000 });
    factory.informer(resource, { cache: { transform: dropData } });
    factory.informer(resource, {
      resyncMs: 1000,
      cache: { transform: dropLabels, keep: () => true },
    });
    expect(log.lines.map(({ fields: { inUse, ignored } }) => [inUse, ignored])).toEqual([
      [60_000, 1000],
      ["the function dropData", "the function dropLabels"],
      ["the default", "the function keep"],
    ]);
  });

  test("is not logged without an option, or with equal ones", () => {
    const [factory, log] = createFactory({ resyncMs: 1000 });
    const options: Options = {
      cache: { transform: dropData, keep: isWeb },
      indexers: { node: byNode },
      list: { pageSize: 10 },
      onError,
    };
    factory.informer(resource, options);
    factory.informer(resource, options);
    factory.informer(resource, { resyncMs: 1000, indexers: { zone: byZone } });
    factory.informer(resource, { resyncMs: undefined, cache: { transform: undefined } });
    factory.lister(resource);
    expect(log.lines).toEqual([]);
  });

  test("is not logged for defaults that are written out", () => {
    const log = new LineLog();
    const factory = factoryOf(new Cluster(), { log, lazy: undefined });
    factory.informer(resource);
    factory.informer(resource, { lazy: true, managedFields: true, resyncMs: 0 });
    expect(log.lines).toEqual([]);
    factory.informer(resource, { lazy: false });
    expect(log.lines).toMatchObject([{ fields: { option: "lazy" } }]);
  });

  test("is not logged after the first one was released", async () => {
    const [factory, log] = createFactory();
    await factory.release(factory.informer(resource, { resyncMs: 1000 }));
    factory.informer(resource, { resyncMs: 2000 });
    expect(log.lines).toEqual([]);
  });

  test("for another form or part is another informer", () => {
    const [factory, log] = createFactory();
    factory.informer(resource, { cache: { transform: dropData } });
    factory.informer(resource, { namespace: "shop", cache: { transform: dropLabels } });
    factory.informer(configMaps, { fields: ["data.a"] });
    factory.informer(configMaps, { metadataOnly: true, resyncMs: 1000 });
    expect(log.lines).toEqual([]);
  });
});

test("an index named namespace of the first request is logged, too", () => {
  const [factory, log] = createFactory();
  factory.informer(resource, { indexers: { namespace: byZone } });
  expect(log.lines).toMatchObject([{ fields: { option: "indexers.namespace" } }]);
});

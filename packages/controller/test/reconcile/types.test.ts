import { describe, expectTypeOf, test } from "vitest";
import { createConnection } from "@listwatch/client";
import { httpListerWatcher } from "@listwatch/reflector";
import type { Cached } from "@listwatch/core-fifo";
import { SharedInformer } from "@listwatch/shared-informer";
import { Controller } from "@listwatch/controller";
import { configMapReference, server, type ConfigMap } from "../support/cluster.ts";

const informer = new SharedInformer({
  listerWatcher: httpListerWatcher<ConfigMap>({
    connection: createConnection({ server }),
    resource: configMapReference,
  }),
  indexers: { color: ({ data }) => [data?.["color"] === "red" ? "red" : "other"] },
});

describe("types of a controller", () => {
  test("the object comes from the informer of the options, without a type argument", () => {
    const controller = new Controller({
      informer,
      reconcile: (key, context) => {
        expectTypeOf(key).toExtend<string>();
        expectTypeOf(context.object).toEqualTypeOf<Cached<ConfigMap> | undefined>();
        // @ts-expect-error a cached object is read-only
        if (context.object !== undefined) context.object.metadata.name = "b";
      },
    });
    expectTypeOf(controller).toEqualTypeOf<Controller<ConfigMap>>();
  });

  test("predicates and owner keys get the objects of their informer", () => {
    const controller = new Controller({
      reconcile: (key, { object }) => {
        expectTypeOf(key).toEqualTypeOf<string>();
        expectTypeOf(object).toEqualTypeOf<undefined>();
      },
    })
      .for(informer, {
        predicate: {
          update: (old, object) => {
            expectTypeOf(old).toEqualTypeOf<Cached<ConfigMap>>();
            return old.data?.["x"] !== object.data?.["x"];
          },
        },
      })
      .owns(informer, (object) => {
        expectTypeOf(object).toEqualTypeOf<Cached<ConfigMap>>();
        return [object.metadata.name];
      });
    expectTypeOf(controller).toEqualTypeOf<Controller>();
  });
});

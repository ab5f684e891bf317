import { isNotFound } from "@listwatch/client";
import { SharedInformer } from "@listwatch/shared-informer";
import { expect, test } from "vitest";
import { Cluster, type ConfigMap } from "../support/cluster.ts";

test("an object missing in a lister throws the same error as one missing on the server", () => {
  const { lister } = new SharedInformer<ConfigMap>({ listerWatcher: new Cluster(1).source() });
  let error: unknown;
  try {
    lister.namespace("default").get("gone");
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({ code: "LW_NOT_FOUND" });
  expect(isNotFound(error)).toBe(true);
  expect(isNotFound(new Error("not found"))).toBe(false);
});

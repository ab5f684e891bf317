import {
  checkIntegerAtLeast,
  checkOneOf,
  createInvalidOptionError,
  isRecord,
} from "@listwatch/core-fifo/base";
import type { FakeApiServerOptions } from "./fake-api-server.ts";

/** @throws {@link InvalidOptionsError} for the first option that cannot be used */
export function checkOptions(options: FakeApiServerOptions): void {
  checkOneOf("namespaces", options.namespaces, ["strict", "permissive"]);
  checkOneOf("namespaceDeletion", options.namespaceDeletion, ["instant", "controller", "never"]);
  checkOneOf("podDeletion", options.podDeletion, ["instant", "kubelet", "never"]);
  const { bookmarkIntervalMs = 1, seed = 0 } = options;
  if (!Number.isFinite(bookmarkIntervalMs) || bookmarkIntervalMs <= 0) {
    const expected = "milliseconds above 0";
    throw createInvalidOptionError("bookmarkIntervalMs", expected, bookmarkIntervalMs);
  }
  checkIntegerAtLeast("watchBufferEvents", options.watchBufferEvents, 1);
  if (typeof seed !== "string" && !Number.isFinite(seed)) {
    throw createInvalidOptionError("seed", "a string or a finite number", seed);
  }
}

/** @throws {@link InvalidOptionsError} for what is no object at all */
export function checkObjects(option: "crds" | "objects", objects: Iterable<unknown>): void {
  let index = 0;
  for (const object of objects) {
    if (!isRecord(object)) {
      throw createInvalidOptionError(`${option}[${index}]`, "a Kubernetes object", object);
    }
    index++;
  }
}

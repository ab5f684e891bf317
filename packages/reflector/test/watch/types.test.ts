import type { WatchEvent } from "@listwatch/client";
import type { KubernetesObject } from "@listwatch/core-fifo";
import type { RetryWatcher } from "@listwatch/reflector";
import { expectTypeOf, test } from "vitest";
import { untilWithoutRetry } from "../../src/watch/until.ts";

interface Pod extends KubernetesObject {
  readonly status: { readonly phase?: string };
}

test("a RetryWatcher yields changes and errors, no bookmarks", () => {
  void (async (watcher: RetryWatcher<Pod>) => {
    for await (const event of watcher) {
      expectTypeOf(event.type).toEqualTypeOf<"ADDED" | "MODIFIED" | "DELETED" | "ERROR">();
      if (event.type === "ERROR") break;
      expectTypeOf(event.object).toEqualTypeOf<Pod>();
    }
    const asWatch: AsyncIterable<WatchEvent<Pod>> = watcher;
    await untilWithoutRetry(asWatch, { conditions: [] });
    await untilWithoutRetry(watcher, { conditions: [({ type }) => type === "BOOKMARK"] });
  });
});

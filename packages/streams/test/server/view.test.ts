import { expect, test } from "vitest";
import { CollectionLog } from "../../src/log/collection-log.ts";
import { Views, type SignedView } from "../../src/server/view.ts";

const log = new CollectionLog({
  name: "maps",
  informer: {
    addListener: () => {},
    removeListener: () => Promise.resolve(),
    status: () => {
      throw new Error("not asked for");
    },
  },
  maxEntries: 1,
  count: () => 1,
  onChange: () => {},
  onSynced: () => {},
  onEnd: () => {},
});

test("users with equal grants and fields share a view, and none resumes as the other", () => {
  const views = new Views("epoch");
  const open = (identity: string, namespaces: string[], fields = ["data"]): SignedView => {
    const grant = new Set(namespaces);
    return views.get({ log, grant, identity, fields, filter: undefined, onError: () => {} });
  };
  const ann = open("ann", ["a", "b"]);
  const bob = open("bob", ["b", "a"]);
  expect(bob.view).toBe(ann.view);
  expect(bob.signature).not.toBe(ann.signature);
  expect(open("ann", ["a", "b"])).toEqual(ann);
  for (const other of [open("ann", ["a"]), open("ann", ["a", "b"], ["metadata.labels"])]) {
    expect(other.view).not.toBe(ann.view);
    expect(other.signature).not.toBe(ann.signature);
  }
});

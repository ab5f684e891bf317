import { expect, test } from "vitest";
import { compareValues } from "../../src/ownership/compare-values.ts";
import { thing, thingType } from "../support/owned-things.ts";

type Spec = Record<string, unknown>;

/** Returns the differences, with paths relative to the spec. */
function compare(before: Spec, after: Spec): Record<string, readonly string[]> {
  const { added, modified, removed } = compareValues(thing(before), thing(after), thingType);
  const sets = Object.entries({ added, modified, removed }).filter(([, set]) => !set.isEmpty);
  return Object.fromEntries(
    sets.map(([name, set]) => [name, set.paths().map((path) => path.replace(".spec", ""))]),
  );
}

const http = { port: 80, name: "http" };
const dns = { port: 53, protocol: "UDP" };
const httpItem = '.ports[port=80,protocol="TCP"]';
const dnsItem = '.ports[port=53,protocol="UDP"]';

test.each<[string, Spec, Spec, object]>([
  ["equal values", { color: "red", ports: [http] }, { color: "red", ports: [http] }, {}],
  [
    "scalars one by one",
    { color: "red", count: 1 },
    { color: "blue", on: true },
    { added: [".on"], modified: [".color"], removed: [".count"] },
  ],
  [
    "maps by their keys",
    { labels: { a: "1", b: "1", c: "1" } },
    { labels: { a: "1", b: "2", d: "1" } },
    { added: [".labels.d"], modified: [".labels.b"], removed: [".labels.c"] },
  ],
  ["a new map with its members", {}, { labels: { a: "1" } }, { added: [".labels", ".labels.a"] }],
  [
    "what is removed with all that is in it",
    { free: { a: { b: 1 } } },
    {},
    { removed: [".free", ".free.a", ".free.a.b"] },
  ],
  ["maps that are atomic", { whole: { a: "1" } }, { whole: { b: "1" } }, { modified: [".whole"] }],
  ["lists that are atomic", { atomic: ["a", "b"] }, { atomic: ["b"] }, { modified: [".atomic"] }],
  ["an atomic map that is new", {}, { whole: { a: "1" } }, { added: [".whole"] }],
  [
    "sets by their values",
    { set: ["a", "b"] },
    { set: ["c", "b"] },
    {
      added: ['.set[="c"]'],
      removed: ['.set[="a"]'],
    },
  ],
  [
    "items by their keys, in whatever order they are",
    { ports: [http, dns] },
    { ports: [dns, { ...http, protocol: "TCP", name: "web" }] },
    { added: [`${httpItem}.protocol`], modified: [`${httpItem}.name`] },
  ],
  [
    "items that come and go with their fields",
    { ports: [http] },
    { ports: [dns] },
    {
      added: [dnsItem, `${dnsItem}.port`, `${dnsItem}.protocol`],
      removed: [httpItem, `${httpItem}.name`, `${httpItem}.port`],
    },
  ],
  [
    "items that are there twice, as a whole",
    { ports: [dns, dns] },
    { ports: [dns, { ...dns, name: "x" }] },
    { modified: [dnsItem] },
  ],
  [
    "an item that was there twice, and what is left of it",
    { ports: [dns, dns] },
    { ports: [dns] },
    { added: [dnsItem, `${dnsItem}.port`, `${dnsItem}.protocol`], removed: [dnsItem] },
  ],
  [
    "an item that is there twice now",
    { ports: [dns] },
    { ports: [dns, dns] },
    { added: [dnsItem], removed: [dnsItem, `${dnsItem}.port`, `${dnsItem}.protocol`] },
  ],
  ["empty maps as fields", { labels: {} }, {}, { removed: [".labels"] }],
])("MF-10: compares %s", (_what, before, after, differences) => {
  expect(compare(before, after)).toEqual(differences);
});

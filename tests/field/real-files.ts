// Loads the files of released Go modules into the fake API server, as `--load` does: definitions,
// samples, charts as helm renders them, and dumps of clusters that the tests of tools contain. It
// prints a table by class. `real-files/refused.json` lists the objects that are refused: a refused
// one that is not listed is an error, and so is a listed one that loads. A step of
// `npm run test:field`; the last line is `N passed, N failed`.
//
//   npm run test:field -- real-files [--real] [--refused] [--update] [MODULE...]
//
// `--real` asks a real kube-apiserver for each refused object and for every tenth of the others,
// and prints what only one of the two takes; `--refused` tries only the files that refused.json
// names; `--update` writes it.
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { findBinaries } from "../cluster/binaries.ts";
import { markdownTable } from "../support/markdown-table.ts";
import { hasGo } from "./custom-resources/released-files.ts";
import { buildHelm, helmVersions } from "./helm-binary.ts";
import { Definitions } from "./real-files/definitions.ts";
import { RealServer } from "./real-files/real-server.ts";
import { type FileClass, filesOf, releases } from "./real-files/sources.ts";
import { type Trial, tryFile } from "./real-files/try-file.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    real: { type: "boolean", default: false },
    refused: { type: "boolean", default: false },
    update: { type: "boolean", default: false },
  },
});
const listFile = new URL("real-files/refused.json", import.meta.url);

const trials: Trial[] = [];
const tried = new Set<string>();
const definitions = new Definitions();
const refusedFiles = new Set([...placesOf(readRefused())].map((place) => fileOf(place)));
if (hasGo) {
  const renderer = buildHelm(helmVersions[0]);
  const files = releases.map((release) => ({ release, files: filesOf(release, renderer) }));
  for (const { files: own } of files) {
    for (const file of own) if (file.class === "definitions") await definitions.add(file);
  }
  for (const { files: own, release } of files) {
    const { module } = release;
    if (positionals.length > 0 && !positionals.some((part) => module.includes(part))) continue;
    tried.add(module);
    const before = trials.length;
    for (const file of own) {
      if (!values.refused || refusedFiles.has(file.name)) {
        trials.push(await tryFile(file, definitions));
      }
    }
    console.log(`     ${trials.length - before} files of ${module}`);
  }
} else console.log("not on this machine: Go, and so the released files of projects");

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
const classes: readonly FileClass[] = ["definitions", "samples", "charts", "dumps"];
const rows = classes.map((name) => {
  const own = trials.filter(({ file, manifests }) => file.class === name && manifests.length > 0);
  return [
    name,
    own.length,
    sum(own.map(({ manifests }) => manifests.length)),
    sum(own.map(({ loaded }) => loaded)),
    sum(own.map(({ unknown }) => unknown)),
    sum(own.map(({ refused }) => refused.length)),
    trials.filter(({ file, manifests }) => file.class === name && manifests.length === 0).length,
  ].map(String);
});
const head = ["class", "files", "objects", "loaded", "of unknown kinds", "refused", "not read"];
console.log(markdownTable([head, ...rows]).join("\n"));

/** Whether two messages have the same errors; a server has those of maps in a random order. */
function areSameErrors(mine: string, theirs: string): boolean {
  const [start = "", ...errors] = theirs.slice(theirs.indexOf(" ") + 1).split(" is invalid: ");
  const own = mine.slice(mine.indexOf(start)).slice(start.length + " is invalid: ".length);
  const sorted = (text: string): string =>
    text
      .replace(/^\[|\]$/g, "")
      .split(", ")
      .sort()
      .join();
  return mine.includes(start) && sorted(own) === sorted(errors.join(" is invalid: "));
}

/** A real server is asked for one of so many objects that the fake one takes. */
const sampled = 10;

/** Asks a real server for objects, and returns the number of those that it alone takes. */
async function besideReal(): Promise<number> {
  const binaries = findBinaries({ build: false });
  if (typeof binaries === "string") throw new Error(binaries);
  await using real = await RealServer.start(binaries);
  const counts = { taken: 0, refused: 0, otherWords: 0, onlyFake: 0, onlyReal: 0 };
  let index = 0;
  for (const { file, manifests, refused } of trials) {
    const asked = manifests.flatMap((manifest) => {
      const mine = refused.find((one) => one.manifest === manifest);
      return mine !== undefined || index++ % sampled === 0 ? [{ manifest, mine }] : [];
    });
    await real.define(definitions.of(asked.map(({ manifest }) => manifest)));
    for (const { manifest, mine } of asked) {
      const theirs = await real.refusalOf(manifest);
      if (mine === undefined && theirs === undefined) counts.taken++;
      else if (mine === undefined) {
        counts.onlyReal++;
        console.log(`only real ${file.name}:${manifest.line} ${manifest.kind}: ${String(theirs)}`);
      } else if (theirs === undefined) {
        counts.onlyFake++;
        console.log(`only fake ${mine.place}: ${mine.why}`);
      } else {
        counts.refused++;
        if (areSameErrors(mine.why, theirs)) continue;
        counts.otherWords++;
        console.log(`other words ${mine.place}\n  fake ${mine.why}\n  real ${theirs}`);
      }
    }
  }
  console.log(`beside a real server: ${JSON.stringify(counts)}`);
  return counts.onlyFake;
}

let failed = 0;
if (values.real) failed += await besideReal();

/** Places of refused objects by their releases. */
type Refused = Readonly<Record<string, readonly string[]>>;

function readRefused(): Refused {
  return JSON.parse(readFileSync(listFile, "utf8")) as Refused;
}

function placesOf(refused: Refused): ReadonlySet<string> {
  return new Set(
    Object.entries(refused).flatMap(([module, places]) =>
      places.map((place) => `${module}/${place}`),
    ),
  );
}

/** The file of a place such as `a.yaml:6`. */
function fileOf(place: string): string {
  return place.slice(0, place.lastIndexOf(":"));
}

function writeRefused(places: readonly string[]): void {
  const before = readRefused();
  const refused: Record<string, readonly string[]> = {};
  for (const { module } of releases) {
    const own = places
      .filter((place) => place.startsWith(`${module}/`))
      .map((place) => place.slice(module.length + 1));
    const listed = tried.has(module) ? own : (before[module] ?? []);
    if (listed.length > 0) refused[module] = listed;
  }
  writeFileSync(listFile, `${JSON.stringify(refused, null, 2)}\n`);
}

if (values.update) writeRefused(trials.flatMap(({ refused }) => refused.map(({ place }) => place)));
const known = placesOf(readRefused());
const unlisted = trials.flatMap(({ refused }) => refused.filter(({ place }) => !known.has(place)));
for (const { place, why } of unlisted) console.log(`FAIL ${place}: ${why}`);
const refusals = new Set(trials.flatMap(({ refused }) => refused.map(({ place }) => place)));
const names = new Set(trials.map(({ file }) => file.name));
const loading = [...known].filter((place) => names.has(fileOf(place)) && !refusals.has(place));
for (const place of loading) console.log(`FAIL ${place}: listed in refused.json, and loads`);
failed += unlisted.length + loading.length;
console.log(`${sum(trials.map(({ loaded }) => loaded))} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

// Writes the digest of each run of the repaired gallery, a line each:
//
//   node --conditions=@listwatch/source tests/field/digests/traces.ts SEEDS
//
// A digest covers each line of the timeline: its time, who, and what.
import { simulate } from "@listwatch/testing";
import { gallery } from "../../../packages/testing/test/gallery/bugs.ts";
import { reported } from "../../../packages/testing/test/gallery/reported.ts";

const seeds = Number(process.argv[2]);

for (const { name, repaired, times } of [...gallery, ...reported]) {
  for (let firstSeed = 1; firstSeed <= seeds; firstSeed++) {
    const { digest } = await simulate(repaired, { ...times, firstSeed, seeds: 1 });
    console.log(`${digest} seed ${firstSeed}: ${name}`);
  }
}

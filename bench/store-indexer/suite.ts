import type { Suite } from "../framework/suite.ts";
import { Fixture } from "./fixture.ts";
import { memory } from "./memory.ts";
import { operations, scaling } from "./operations.ts";
import { pipeline } from "./pipeline.ts";

const sizes = [10_000, 100_000, 1_000_000] as const;

export const suite: Suite = {
  name: "store-indexer",
  benchmarks() {
    const fixtures = sizes.map((size) => new Fixture(size));
    return [
      pipeline("steady, bursts of 16", 10_000, 16, 1.6),
      pipeline("relist, burst of 50,000", 50_000, 50_000, 1.6),
      ...sizes.map(memory),
      ...fixtures.flatMap(operations),
      ...scaling(fixtures),
    ];
  },
};

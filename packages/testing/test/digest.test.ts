import { expect, test } from "vitest";
import { simulate } from "../src/index.ts";
import { copier } from "./support/copier.ts";

// Each runtime has the same digest. `npm run check -- digests` compares that of 200 seeds on Node,
// Deno, Bun and Chromium; the check runs 20 on each. When a change of the client, the informer, the
// controller or the simulation itself changes what happens, both are written again.
const digests = new Map([
  [20, "0ae1addadce40974"],
  [200, "07b8135fdea7c554"],
]);

declare global {
  interface ImportMeta {
    /** Variables of the process; in pages those whose names begin with `VITE_`. */
    readonly env: Readonly<Record<string, string | undefined>>;
  }
}

const seeds = Number(import.meta.env["VITE_DIGEST_SEEDS"] ?? 20);

test(`the digest of ${seeds} seeds is the committed one`, async () => {
  const { coverage, digest, runs, states } = await simulate(copier, { seeds });
  expect(runs).toBe(seeds);
  expect(coverage).toMatchObject({ kill: expect.any(Number) });
  expect(Object.keys(states).some((what) => what.endsWith("after a restart"))).toBe(true);
  expect(digest).toBe(digests.get(seeds));
});

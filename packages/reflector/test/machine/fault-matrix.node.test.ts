import { describe, expect, test } from "vitest";
import type { Cluster } from "../support/cluster.ts";
import { faults } from "../support/fault-catalogue.ts";
import { positions } from "../support/fault-positions.ts";
import { complaints, runCell, type Transport } from "../support/fault-run.ts";
import { listenHere } from "../support/listen-here.ts";

/** Sockets of one machine have said what they have to say when nothing was seen of them for so long. */
const quietMs = 2;

/** Lets sockets work until nothing more is seen of them. */
async function socketsQuiet(activity: () => string): Promise<void> {
  let last = activity();
  for (let since = performance.now(); performance.now() - since < quietMs;) {
    await new Promise((resolve) => setImmediate(resolve));
    const now = activity();
    if (now !== last) since = performance.now();
    last = now;
  }
}

async function overSockets(
  { api, clock }: Cluster,
  activity: () => string,
  closing: AsyncDisposableStack,
): Promise<Transport> {
  const listener = closing.use(await listenHere(api));
  return {
    server: listener.url,
    fetch: (request) => fetch(request),
    advance: async (ms) => {
      await clock.advance(ms);
      await socketsQuiet(activity);
    },
  };
}

describe.each(positions)("over HTTP, a fault at the position $name", (position) => {
  const cells = faults.filter(({ only }) => only?.(position) ?? true);
  test.each(cells)(
    "$name: recovers, loses nothing, causes no request storm, leaves nothing behind",
    async (fault) => {
      await using closing = new AsyncDisposableStack();
      const outcome = await runCell(fault, position, (cluster, activity) =>
        overSockets(cluster, activity, closing),
      );
      expect(complaints(outcome, fault)).toEqual([]);
    },
    20_000,
  );
});

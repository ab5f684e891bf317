import { listen } from "@listwatch/fake-apiserver/node";
import { describe, expect, test } from "vitest";
import { faults } from "./support/fault-catalogue.ts";
import { positions } from "./support/fault-positions.ts";
import { complaints, runCell, type Transport } from "./support/fault-run.ts";
import type { Cluster } from "./support/cluster.ts";

/** Turns of the event loop in which sockets on this machine have said what they have to say. */
const socketTurns = 12;

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

async function overSockets(
  { api, clock }: Cluster,
  closing: AsyncDisposableStack,
): Promise<Transport> {
  const listener = closing.use(await listen(api));
  return {
    server: listener.url,
    fetch: (request) => fetch(request),
    advance: async (ms) => {
      await turns(socketTurns);
      await clock.advance(ms);
      await turns(socketTurns);
    },
  };
}

describe.each(positions)("over HTTP, a fault at the position $name", (position) => {
  const cells = faults.filter(({ only }) => only?.(position) ?? true);
  test.each(cells)(
    "$name: recovers, loses nothing, storms nobody, leaves nothing",
    async (fault) => {
      await using closing = new AsyncDisposableStack();
      const outcome = await runCell(fault, position, (cluster) => overSockets(cluster, closing));
      expect(complaints(outcome, fault)).toEqual([]);
    },
  );
});

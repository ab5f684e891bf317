import { FakeApiServer } from "@listwatch/fake-apiserver";
import { afterAll, describe, expect, test } from "vitest";
import type { Cluster } from "../support/cluster.ts";
import { faults } from "../support/fault-catalogue.ts";
import { positions } from "../support/fault-positions.ts";
import { complaints, runCell, type Transport } from "../support/fault-run.ts";
import { listenHere } from "../support/listen-here.ts";

/**
 * Round trips to another server in the same process without further activity. By then everything in
 * flight has arrived. Real time would prove nothing, since a busy machine does no work in it.
 */
const quietRoundTrips = 3;

const elsewhere = listenHere(new FakeApiServer());

afterAll(async () => (await elsewhere)[Symbol.asyncDispose]());

/** Lets sockets work until there is no further activity. */
async function socketsQuiet(activity: () => string): Promise<void> {
  const { url } = await elsewhere;
  let last = activity();
  for (let quiet = 0; quiet < quietRoundTrips; quiet++) {
    await fetch(`${url}/version`).then((response) => response.text());
    const now = activity();
    if (now !== last) quiet = -1;
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
    "$name: recovers, loses nothing, causes no request storm, leaks nothing",
    async (fault) => {
      await using closing = new AsyncDisposableStack();
      const outcome = await runCell(fault, position, (cluster, activity) =>
        overSockets(cluster, activity, closing),
      );
      expect(complaints(outcome, fault)).toEqual([]);
    },
  );
});

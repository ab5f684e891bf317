import { FakeApiServer } from "@listwatch/fake-apiserver";
import { afterAll, describe, expect, test } from "vitest";
import type { Cluster } from "./cluster.ts";
import { faults } from "./fault-catalogue.ts";
import type { Position } from "./fault-positions.ts";
import { complaints, runCell, type Transport } from "./fault-run.ts";
import { listenHere } from "./listen-here.ts";

/**
 * Round trips to another server of the same kind, in the same process, during which nothing more
 * was seen: by then everything that was sent before has arrived. An interval of the machine's clock
 * would prove nothing, since a busy machine does no work in it.
 */
const quietRoundTrips = 3;

/** Lets sockets work until nothing more is seen of them. */
async function socketsQuiet(url: string, activity: () => string): Promise<void> {
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
  { closing, elsewhere }: { readonly closing: AsyncDisposableStack; readonly elsewhere: string },
): Promise<Transport> {
  const listener = closing.use(await listenHere(api));
  return {
    server: listener.url,
    fetch: (request) => fetch(request),
    advance: async (ms) => {
      await clock.advance(ms);
      await socketsQuiet(elsewhere, activity);
    },
  };
}

/** Tests every fault at each of the positions, over HTTP on loopback. */
export function testOverHttp(positions: readonly Position[]): void {
  const elsewhere = listenHere(new FakeApiServer());
  afterAll(async () => (await elsewhere)[Symbol.asyncDispose]());

  describe.each(positions)("over HTTP, a fault at the position $name", (position) => {
    const cells = faults.filter(({ only }) => only?.(position) ?? true);
    test.each(cells)(
      "$name: recovers, loses nothing, causes no request storm, leaves nothing behind",
      async (fault) => {
        await using closing = new AsyncDisposableStack();
        const { url } = await elsewhere;
        const outcome = await runCell(fault, position, (cluster, activity) =>
          overSockets(cluster, activity, { closing, elsewhere: url }),
        );
        expect(complaints(outcome, fault)).toEqual([]);
      },
    );
  });
}

import { FakeApiServer } from "@listwatch/fake-apiserver";
import { listen } from "@listwatch/fake-apiserver/node";
import { fetchTransport, httpTransport, type StepResult, type Transport } from "./replay.mjs";
import { recorderToken, type Scenario } from "./scenario.ts";

export const transports = { socket: overSocket, fetch: throughFetch };
export type TransportName = keyof typeof transports;

// Many scenarios wait for timeouts of 1 to 5 s, so they run concurrently. Each has a separate
// server: otherwise a version written by one would appear in the continue tokens of another.
const atOnce = 12;
// The longest scenario takes 20 s on an idle machine. One that hangs fails without blocking
// the others.
const scenarioLimitMs = 8 * 60_000;

/** Connection to a server, and its end. */
interface Opened {
  readonly transport: Transport;
  close(): Promise<void>;
}

async function overSocket(server: FakeApiServer): Promise<Opened> {
  const listener = await listen(server);
  return { transport: httpTransport(listener.url), close: () => listener.close() };
}

function throughFetch(server: FakeApiServer): Promise<Opened> {
  // A Request that is garbage-collected loses its signal, so that no abort could end its stream.
  const requests: Request[] = [];
  return Promise.resolve({
    transport: fetchTransport((request) => {
      requests.push(request);
      return server.fetch(request);
    }),
    close: () => {
      requests.length = 0;
      return Promise.resolve();
    },
  });
}

/** Replays scenarios; returns the results of their steps by scenario name. */
export async function replayScenarios(
  scenarios: readonly Scenario[],
  transport: TransportName,
): Promise<ReadonlyMap<string, readonly StepResult[]>> {
  const queue = [...scenarios];
  const results = new Map<string, readonly StepResult[]>();
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      results.set(next.name, await replayScenario(next, transport));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}

/** Replays one scenario on a separate server. If it cannot start, all of its steps fail. */
export async function replayScenario(
  scenario: Scenario,
  transport: TransportName,
): Promise<readonly StepResult[]> {
  const server = new FakeApiServer(scenario.server);
  const opened = await transports[transport](server);
  const target = {
    transport: authenticated(opened.transport),
    compact: () => server.control.compact({ watches: false }),
  };
  try {
    return completed(scenario, await withinLimit(scenario.replay(target)));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return completed(scenario, [], `the scenario could not begin: ${reason}`);
  } finally {
    await opened.close();
  }
}

function authenticated(transport: Transport): Transport {
  const authorization = `Bearer ${recorderToken}`;
  return (request) => transport({ ...request, headers: { authorization, ...request.headers } });
}

function withinLimit<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`it did not end within ${scenarioLimitMs} ms`)),
    scenarioLimitMs,
  );
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

// Returns results of all recorded steps; steps that were not reached have failed.
function completed(
  { steps }: Scenario,
  results: readonly StepResult[],
  reason = "the step was not reached",
): readonly StepResult[] {
  const setup = results.find(({ index }) => index < 0);
  const diffs = setup?.diffs ?? [reason];
  return Array.from(
    { length: steps },
    (_, index) =>
      results.find((result) => result.index === index) ?? {
        index,
        op: "none",
        what: "",
        ok: false,
        diffs,
      },
  );
}

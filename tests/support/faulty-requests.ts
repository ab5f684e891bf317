// Requests with faults from the plan of a story, which the fake API server carries out.
import type { FakeApiServer } from "@listwatch/fake-apiserver";
import { callOf, type Call } from "../../packages/testing/src/plan/call.ts";
import type { Rates } from "../../packages/testing/src/plan/fault-plan.ts";
import { eventsOf } from "../../packages/testing/src/plan/seen-event.ts";
import type { StoryRun } from "./plan.ts";
import { serverFaults, type ServerFault } from "./server-faults.ts";

/** Marks the request that a fault is for. */
const header = "x-fault-of";

/** The network of a program, as far as a test decides about it. */
export interface FaultyNetwork {
  readonly api: FakeApiServer;
  /** Name of the program in the timeline. */
  readonly who: string;
  /** Probabilities of the faults of a request. */
  readonly ratesOf: (call: Call) => Rates<ServerFault>;
}

/** Returns a `fetch` whose requests have faults of the story, and appear in its timeline. */
export function faultyFetch(
  { faults, trace }: StoryRun,
  { api, ratesOf, who }: FaultyNetwork,
): (request: Request) => Promise<Response> {
  const counts = new Map<string, number>();
  return async (request) => {
    const call = callOf(request);
    const count = counts.get(call.text) ?? 0;
    counts.set(call.text, count + 1);
    const key = `${who} ${call.text} #${count}`;
    const fault = faults.faultFor(key, ratesOf(call));
    trace.add(who, `→ ${call.text}${fault === undefined ? "" : ` (${fault})`}`);
    const rule =
      fault &&
      api.control.faults.add({
        match: { headers: { [header]: key } },
        action: serverFaults[fault],
      });
    const headers = new Headers(request.headers);
    headers.set(header, key);
    try {
      const response = await api.fetch(
        rule === undefined ? request : new Request(request, { headers }),
      );
      trace.add(who, `← ${response.status} ${call.text}`);
      return call.isWatch ? withEvents(response, (what) => trace.add(who, what)) : response;
    } catch (error) {
      trace.add(who, `← ${String(error)} ${call.text}`);
      throw error;
    } finally {
      rule?.remove();
    }
  };
}

/** Tells the events of a watch when they are read, and passes them on unchanged. */
function withEvents(response: Response, tell: (what: string) => void): Response {
  const reader = response.body?.getReader();
  if (reader === undefined) return response;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (target) => {
        const { done, value } = await reader.read();
        if (done) return target.close();
        for (const { key, kind, type, version } of eventsOf(value)) {
          tell(`sees ${type} ${kind} ${key} at ${version}`);
        }
        target.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, response);
}

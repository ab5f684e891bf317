import { createClient, createConnection, isStatusError } from "@listwatch/client";
import type { Clock, Random } from "@listwatch/core-fifo";
import { describeError, isPromiseLike } from "@listwatch/core-fifo/base";
import type { FakeApiServer } from "@listwatch/fake-apiserver";
import { callOf } from "../plan/call.ts";
import type { Violation } from "../plan/shrink.ts";
import type { Trace } from "../plan/trace.ts";
import { scenarioError, wrongResult } from "./conditions.ts";
import type { ActionContext, ClusterState } from "./scenario.ts";

/** The world of a user. */
interface UserWorld {
  readonly clock: Clock;
  readonly random: Random;
  readonly server: FakeApiServer;
  readonly state: ClusterState;
  readonly trace: Trace;
}

/** Runs a user's action. Returns its error, except for a refusal of the server. */
export async function runAction(
  name: string,
  action: (context: ActionContext) => unknown,
  { clock, random, server, state, trace }: UserWorld,
): Promise<Violation | undefined> {
  const fetch = async (request: Request): Promise<Response> => {
    const { method, text } = callOf(request);
    const { revision } = server.control;
    const response = await server.fetch(request);
    if (method === "GET" || !response.ok) return response;
    trace.add("user", `${name}: ${text}${createdAfter(revision, text, server)}`);
    return response;
  };
  const connection = createConnection({ server: "http://cluster", fetch });
  const client = createClient(connection, { clock, random });
  let work: unknown;
  try {
    work = action({ client, clock, random, state });
  } catch (error) {
    return scenarioError(`action ${name}`, "throws", error);
  }
  if (!isPromiseLike(work)) return wrongResult(`action ${name}`, work, "a promise");
  try {
    await work;
    return undefined;
  } catch (error) {
    if (!isStatusError(error)) return scenarioError(`action ${name}`, "rejects with", error);
    trace.add("user", `${name} is refused: ${describeError(error)}`);
    return undefined;
  }
}

/**
 * Returns the name of the object that a create has stored, which its path does not have. It is that
 * of the server's event: a body takes real time to read.
 */
function createdAfter(revision: number, text: string, { control }: FakeApiServer): string {
  const created = control.eventLog(undefined, { after: revision }).find((event) => {
    const [plural = ""] = event.resource.split(".");
    const place = event.namespace === "" ? plural : `${event.namespace}/${plural}`;
    return event.type === "ADDED" && text.endsWith(` ${place}`);
  });
  return created === undefined ? "" : `/${created.name}`;
}

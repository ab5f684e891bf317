import { ConnectionResetError, type FakeApiServerOptions } from "@listwatch/fake-apiserver";
import { onAborted } from "@listwatch/core-fifo/base";
import { sleep } from "@listwatch/core-fifo";
import { delayOf } from "./delays.ts";
import { EscapeError } from "./errors.ts";
import type { NetworkWorld } from "./network.ts";
import type { Scenario } from "./scenario.ts";

type WebhookFetch = NonNullable<
  Exclude<FakeApiServerOptions["webhooks"], "ignore" | undefined>["fetch"]
>;

/** Passes the server's calls of webhooks to the scenario, with their faults and delays. */
export function createWebhookCalls(
  world: NetworkWorld,
  handle: NonNullable<Scenario["webhook"]>,
): WebhookFetch {
  const counts = new Map<string, number>();
  return async (request) => {
    const { clock, story, trace } = world;
    const { signal } = request;
    const kind = `webhook ${new URL(request.url).pathname}`;
    const number = counts.get(kind) ?? 0;
    counts.set(kind, number + 1);
    const key = `server ${kind} #${number}`;
    await sleep(delayOf(story, key, "request"), { clock, signal });
    const fault = world.faultFor(key, { kind, faults: "webhooks", state: "in the server" });
    trace.add("server", `→ ${kind}${fault === undefined ? "" : ` (${fault})`}`);
    if (fault === "webhook-reset") throw new ConnectionResetError();
    if (fault === "webhook-500") return new Response("The simulation fails", { status: 500 });
    if (fault === "webhook-silence") return silence(signal);
    const response = await handle(request);
    const body = await response.arrayBuffer();
    await sleep(delayOf(story, key, "answer"), { clock, signal });
    const { headers, status, statusText } = response;
    return new Response(body, { headers, status, statusText });
  };
}

/** Ends with the signal of the server, and not before. */
function silence(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => void onAborted(signal, () => reject(signal.reason)));
}

/** Ends the run when the server calls a webhook that the scenario does not have. */
export function refuseWebhook(world: NetworkWorld): () => never {
  return () => {
    const error = new EscapeError("a webhook");
    world.fail(error);
    throw error;
  };
}

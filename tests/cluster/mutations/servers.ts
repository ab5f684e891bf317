import { readFileSync } from "node:fs";
import { Agent } from "node:https";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { send } from "../../../conformance/fidelity/client.ts";
import { Comparison } from "../../../conformance/fidelity/compare.ts";
import { fetchTransport } from "../../../conformance/fidelity/replay.mjs";
import { recorderToken, wholeServer } from "../../../conformance/fidelity/scenario.ts";
import type { ControlPlane } from "../control-plane.ts";
import { type Answer, call } from "../kinds/api-connection.ts";
import { recorder } from "../kinds/check-kinds.ts";
import type { Draft } from "../kinds/generate-object.ts";
import { matched } from "../kinds/matched-body.ts";
import { apiVersionOf, kindsOf, namespace } from "../kinds/observe-kinds.ts";
import type { Counts } from "../run-program.ts";
import { recordedObjects } from "./recorded-objects.ts";

/** Sends a request in JSON. `type` is the media type of the body. */
export type Ask = (method: string, path: string, body?: unknown, type?: string) => Promise<Answer>;

/** A real server that no one else uses, and a fake one. */
export interface Servers {
  readonly real: Ask;
  readonly fake: Ask;
}

// A definition is established within a second.
const pauseMs = 100;
const maxAsked = 600;

/** A recorded object, and the path of its collection. */
export interface Recorded {
  readonly path: string;
  readonly object: Draft;
}

/** Starts a fake server beside a real one, and calls back with both and the objects they serve. */
export async function withServers(
  plane: ControlPlane,
  compare: (servers: Servers, recorded: readonly Recorded[]) => Promise<Counts>,
): Promise<Counts> {
  const agent = new Agent({ keepAlive: true, ca: readFileSync(join(plane.pki, "ca.crt")) });
  const connection = { agent, server: plane.server, token: plane.tokenOf(recorder.name) };
  try {
    const paths = new Map(
      (await kindsOf(connection)).map((one) => [`${apiVersionOf(one)} ${one.kind}`, one.path]),
    );
    const servers = { real: call.bind(undefined, connection), fake: askFake() };
    for (const ask of [servers.fake, servers.real]) {
      await ask("POST", "/api/v1/namespaces", {
        apiVersion: "v1",
        kind: "Namespace",
        metadata: { name: namespace },
      });
    }
    const recorded = [...recordedObjects()].flatMap((object) => {
      const path = paths.get(`${String(object["apiVersion"])} ${String(object["kind"])}`);
      return path === undefined ? [] : [{ path, object }];
    });
    return await compare(servers, recorded);
  } finally {
    agent.destroy();
  }
}

function askFake(): Ask {
  const server = new FakeApiServer(wholeServer);
  const transport = fetchTransport((request) => server.fetch(request));
  const headers = { authorization: `Bearer ${recorderToken}` };
  return async (method, path, body, type) =>
    (await send(
      (request) => transport({ ...request, headers: { ...request.headers, ...headers } }),
      method,
      path,
      body,
      type,
    )) as Answer;
}

/** Compares the answers to a request with a body. Returns a line for each difference. */
export function differencesOf(sent: Draft, real: Answer, fake: Answer): readonly string[] {
  const comparison = new Comparison();
  const warnings = comparison.value(real.warnings, fake.warnings, "warnings");
  if (real.status !== fake.status) {
    const texts = [real, fake].map(({ body, status }) => `${status} ${String(body["message"])}`);
    return [`  real: ${texts[0]}`, `  fake: ${texts[1]}`];
  }
  const bodies =
    real.status < 300
      ? comparison.object(matched(real.body, sent), fake.body)
      : comparison.refusal(real.body, fake.body);
  return [...bodies, ...warnings].map((line) => `  ${line}`);
}

/** Waits until a definition is served: before, a real server lets more of it change. */
export async function establish(ask: Ask, url: string): Promise<void> {
  for (let asked = 0; asked < maxAsked; asked++) {
    const { status } = (await ask("GET", url)).body as { readonly status?: Draft };
    const conditions = (status?.["conditions"] ?? []) as readonly Draft[];
    const isServed = conditions.some(
      (one) => one["type"] === "Established" && one["status"] === "True",
    );
    if (isServed) return;
    await setTimeout(pauseMs);
  }
  throw new Error(`${url} was not established after ${maxAsked} requests`);
}

/** Deletes an object, with its finalizers. */
export async function remove(ask: Ask, url: string): Promise<void> {
  await ask("DELETE", url, { apiVersion: "v1", kind: "DeleteOptions", gracePeriodSeconds: 0 });
  const { body, status } = await ask("GET", url);
  if (status !== 200) return;
  // Finalizers keep it.
  const { finalizers: _finalizers, ...metadata } = body["metadata"] as Draft;
  await ask("PUT", url, { ...body, metadata });
}

import { FakeApiServer, type FakeApiServerOptions } from "@listwatch/fake-apiserver";
import { handle } from "./handler.ts";
import type { CaseServer } from "./run-cases.ts";

/** The user who sends the requests. */
export const caseUser = { username: "admin", uid: "admin", groups: ["system:masters"] } as const;

/** A certificate authority for configurations whose handler is a function. */
const caBundle = btoa("-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n");

/** The part of a {@link CaseServer} that belongs to its handler. */
export type CaseHandler = Pick<CaseServer, "caBundle" | "origin" | "takeCalls">;

/** A fake API server that calls a handler over the network. */
export function fakeCaseServer(
  handler: CaseHandler,
  webhooks: FakeApiServerOptions["webhooks"] = {},
): CaseServer {
  const users = { token: caseUser };
  const server = new FakeApiServer({ seed: 1, users, authorization: "rbac", webhooks });
  return {
    ...handler,
    settle: () => Promise.resolve(),
    send: async ({ body = null, contentType, method, path }) => {
      const headers = { authorization: "Bearer token", "content-type": contentType };
      const url = `https://127.0.0.1${path}`;
      const response = await server.fetch(new Request(url, { method, headers, body }));
      const warnings = response.headers.get("warning");
      return { status: response.status, warnings, body: await response.text() };
    },
  };
}

/** A fake API server that calls the handler as a function. */
export function localCaseServer(): CaseServer {
  let calls: (readonly [path: string, body: string])[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const body = await request.text();
    const path = new URL(request.url).pathname;
    calls.push([path, body]);
    const answer = handle(path, body);
    if (typeof answer === "string") throw new TypeError("connection closed");
    // As the handler of the recording answers: the text of another type would be in the message.
    const headers = { "content-type": "application/json" };
    return new Response(answer.body, { status: answer.status, headers });
  };
  const takeCalls: CaseServer["takeCalls"] = () => {
    const taken = calls;
    calls = [];
    return taken;
  };
  return fakeCaseServer({ origin: "https://127.0.0.1:8443", caBundle, takeCalls }, { fetch });
}

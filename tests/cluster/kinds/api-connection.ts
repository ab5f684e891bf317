import { type Agent, request } from "node:https";
import type { Draft } from "./generate-object.ts";

/** A server, and the user whose requests it gets. */
export interface ApiConnection {
  readonly server: string;
  readonly token: string;
  readonly agent: Agent;
}

/** An answer in JSON. */
export interface Answer {
  readonly status: number;
  readonly body: Draft;
  readonly warnings: readonly string[];
}

/** Sends a request without the library under test. */
export function call(
  { agent, server, token }: ApiConnection,
  method: string,
  path: string,
  body?: unknown,
  type = "application/json",
): Promise<Answer> {
  const { promise, reject, resolve } = Promise.withResolvers<Answer>();
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    accept: "application/json",
    authorization: `Bearer ${token}`,
    "content-type": type,
    "user-agent": "recorder/1.0",
    // Node leaves it out of a DELETE, whose body would be lost.
    ...(text !== undefined && { "content-length": String(Buffer.byteLength(text)) }),
  };
  request(`${server}${path}`, { method, headers, agent }, (response) => {
    const chunks: Buffer[] = [];
    response.on("data", (chunk: Buffer) => chunks.push(chunk)).once("error", reject);
    response.once("end", () => {
      const answer = Buffer.concat(chunks).toString("utf8");
      const { headersDistinct, statusCode = 0 } = response;
      const warnings = headersDistinct["warning"] ?? [];
      // A path that is not served is answered in plain text.
      const json = answer.startsWith("{") ? answer : JSON.stringify({ message: answer.trim() });
      resolve({ status: statusCode, body: JSON.parse(json) as Draft, warnings });
    });
  })
    .once("error", reject)
    .end(text);
  return promise;
}

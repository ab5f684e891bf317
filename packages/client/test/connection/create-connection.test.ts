import { createClient, CredentialsError, type ConnectionConfig } from "@listwatch/client";
import { describe, expect, test } from "vitest";
import { answering, failureOf } from "../support/answering.ts";

const configMaps = { group: "", version: "v1", resource: "configmaps" };

function create(config: Partial<ConnectionConfig>, answer: (request: Request) => Response) {
  const { connection, requests } = answering(answer, {});
  const { headers } = config;
  const withHeaders = answering((request) => connection.fetch(request), { headers }).connection;
  const client = createClient(withHeaders).resource(configMaps);
  const created = client.create({ metadata: { namespace: "a", name: "b" } });
  return { created, requests };
}

describe("the headers of a connection", () => {
  test("are renewed, and the write is sent once more with the same body after a 401", async () => {
    const { created, requests } = create(
      { headers: ({ refresh }) => ({ authorization: refresh ? "new" : "old" }) },
      ({ headers }) =>
        headers.get("authorization") === "new"
          ? Response.json({ kind: "ConfigMap" })
          : new Response("", { status: 401 }),
    );
    expect(await created).toEqual({ kind: "ConfigMap" });
    const bodies = await Promise.all(requests.map((request) => request.json()));
    expect(bodies).toHaveLength(2);
    expect(bodies[1]).toEqual(bodies[0]);
  });

  test("take precedence over the request's headers, except its content type", async () => {
    const headers = { accept: "application/vnd.example", "content-type": "text/html" };
    const { created, requests } = create({ headers }, () => Response.json({}));
    await created;
    expect(requests[0]?.headers.get("accept")).toBe("application/vnd.example");
    expect(requests[0]?.headers.get("content-type")).toBe("application/json");
  });

  test("accept every form of HeadersInit, and several values", async () => {
    for (const headers of [
      new Headers({ "x-a": "1, 2" }),
      [["x-a", "1"] as const, ["x-a", "2"] as const],
    ]) {
      const { created, requests } = create({ headers }, () => Response.json({}));
      await created;
      expect(requests[0]?.headers.get("x-a")).toBe("1, 2");
    }
  });

  test("that cannot be obtained fail the request with their cause, not with a network error", async () => {
    const cause = new Error("the plugin ended with 1");
    const { created, requests } = create({ headers: () => Promise.reject(cause) }, () =>
      Response.json({}),
    );
    const error = await failureOf(created);
    expect(error).toBeInstanceOf(CredentialsError);
    expect(error).toMatchObject({ code: "LW_CREDENTIALS", cause });
    expect(requests).toEqual([]);
  });
});

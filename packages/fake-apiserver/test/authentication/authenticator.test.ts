import { FakeApiServer, type FakeApiServerOptions } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { noteCertificate } from "../../src/authentication/client-certificate.ts";
import { type Answer, ApiClient } from "../support/api-client.ts";
import { ManualClock } from "../support/manual-clock.ts";

const pods = "/api/v1/namespaces/default/pods";
const users = {
  "jane-token": { username: "jane", groups: ["people"], uid: "7", extra: { team: ["a", "b"] } },
};

function callAs(options: FakeApiServerOptions, headers: HeadersInit, path = pods): Promise<Answer> {
  return new ApiClient(new FakeApiServer(options)).call("GET", path, undefined, { headers });
}

async function whoAmI(server: FakeApiServer, headers: HeadersInit): Promise<unknown> {
  const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  const { body, status } = await new ApiClient(server).call("POST", path, {}, { headers });
  return status === 201 ? body["status"]["userInfo"] : status;
}

describe("the user of a request (API-1.19)", () => {
  test("is the administrator without configured users, whatever the token (AUT-6)", async () => {
    const server = new FakeApiServer();
    const admin = {
      username: "kubernetes-admin",
      groups: ["system:masters", "system:authenticated"],
    };
    expect(await whoAmI(server, {})).toEqual(admin);
    expect(await whoAmI(server, { authorization: "Bearer anything" })).toEqual(admin);
    expect(await whoAmI(server, { authorization: "Basic YTpi" })).toEqual(admin);
  });

  test("is determined by the token (AUT-6)", async () => {
    const server = new FakeApiServer({ users });
    expect(await whoAmI(server, { authorization: "Bearer jane-token" })).toEqual({
      ...users["jane-token"],
      groups: ["people", "system:authenticated"],
    });
    expect(await whoAmI(server, { authorization: "bearer jane-token" })).toMatchObject({
      username: "jane",
    });
  });

  test("with a bad token gets 401 without details (AUT-1)", async () => {
    const { body, headers, status } = await callAs({ users }, { authorization: "Bearer x" });
    expect(status).toBe(401);
    expect(body).toEqual({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: "Unauthorized",
      reason: "Unauthorized",
      code: 401,
    });
    expect(headers.get("audit-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.has("www-authenticate")).toBe(false);
  });

  test("without credentials is rejected, or anonymous if authorization is configured (AUT-1)", async () => {
    expect((await callAs({ users }, {})).status).toBe(401);
    const { body, status } = await callAs({ users, authorization: "rbac" }, {});
    expect(status).toBe(403);
    expect(body["message"]).toBe(
      'pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group "" in the namespace "default"',
    );
  });

  test("keeps the audit id that it sends (AUT-1)", async () => {
    const { headers } = await callAs({}, { "audit-id": "mine" });
    expect(headers.get("audit-id")).toBe("mine");
  });

  test("is determined by a client certificate before a token (AUT-6)", async () => {
    const server = new FakeApiServer({ users });
    const url = "http://localhost/apis/authentication.k8s.io/v1/selfsubjectreviews";
    const headers = { authorization: "Bearer jane-token", "content-type": "application/json" };
    const request = new Request(url, { method: "POST", headers, body: "{}" });
    noteCertificate(request, { commonName: "joe", organizations: ["ops"], fingerprint: "ab12" });
    expect(await (await server.fetch(request)).json()).toMatchObject({
      status: {
        userInfo: {
          username: "joe",
          groups: ["ops", "system:authenticated"],
          extra: { "authentication.kubernetes.io/credential-id": ["X509SHA256=ab12"] },
        },
      },
    });
  });

  test("is a service account by its token, while token and account are there (AUT-6)", async () => {
    const clock = new ManualClock();
    const server = new FakeApiServer({ clock });
    const client = new ApiClient(server);
    const accounts = "/api/v1/namespaces/default/serviceaccounts";
    await client.call("POST", accounts, { metadata: { name: "robot" } });
    const issue = async (): Promise<HeadersInit> => {
      const { body } = await client.call("POST", `${accounts}/robot/token`, {
        spec: { expirationSeconds: 600 },
      });
      return { authorization: `Bearer ${String(body["status"]["token"])}` };
    };
    const headers = await issue();
    expect(await whoAmI(server, headers)).toMatchObject({
      username: "system:serviceaccount:default:robot",
      groups: ["system:serviceaccounts", "system:serviceaccounts:default", "system:authenticated"],
    });
    await clock.advance(600_000);
    expect(await whoAmI(server, headers)).toBe(401);
    const renewed = await issue();
    await client.call("DELETE", `${accounts}/robot`);
    expect(await whoAmI(server, renewed)).toBe(401);
  });

  test.each([
    ["no object", []],
    ["a user without a name", { t: { groups: [] } }],
    ["groups that are no texts", { t: { username: "a", groups: [1] } }],
    ["a token with white space", { "a b": { username: "a" } }],
  ])("cannot be configured by %s", (_what, wrong) => {
    const options = { users: wrong } as unknown as FakeApiServerOptions;
    expect(() => new FakeApiServer(options)).toThrow(/users/);
  });
});

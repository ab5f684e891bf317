import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient } from "../../support/api-client.ts";
import { ManualClock } from "../../support/manual-clock.ts";
import { podOf, pods } from "../../support/pods.ts";

const accounts = "/api/v1/namespaces/default/serviceaccounts";

async function setUp() {
  const clock = new ManualClock();
  const server = new FakeApiServer({ seed: 1, clock, users: {}, authorization: () => true });
  const client = new ApiClient(server);
  const account = await client.call("POST", accounts, { metadata: { name: "robot" } });
  const request = (spec: object, name = "robot", metadata: object = {}) =>
    client.call("POST", `${accounts}/${name}/token`, { metadata, spec });
  return { account, client, clock, request };
}

describe("a token of a service account", () => {
  test("is returned with the completed request, and stores nothing (SUB-4)", async () => {
    const { account, client, clock, request } = await setUp();
    const { body, status } = await request({});
    expect(status).toBe(201);
    const { creationTimestamp, uid } = account.body["metadata"];
    expect(body).toEqual({
      kind: "TokenRequest",
      apiVersion: "authentication.k8s.io/v1",
      metadata: { name: "robot", namespace: "default", uid, creationTimestamp },
      spec: {
        audiences: ["https://kubernetes.default.svc"],
        expirationSeconds: 3600,
        boundObjectRef: null,
      },
      status: {
        token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        expirationTimestamp: `${new Date(clock.now() + 3_600_000).toISOString().slice(0, 19)}Z`,
      },
    });
    const [, payload = ""] = String(body["status"]["token"]).split(".");
    const claims = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
    expect(claims).toMatchObject({ sub: "system:serviceaccount:default:robot" });
    expect((await client.get(`${accounts}/robot`)).body).toEqual(account.body);
  });

  test("is a credential of the account until it expires (SUB-4)", async () => {
    const { client, clock, request } = await setUp();
    const { body } = await request({ expirationSeconds: 600 });
    const init = { headers: { authorization: `Bearer ${String(body["status"]["token"])}` } };
    const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    const review = await client.call("POST", path, {}, init);
    const { username } = review.body["status"]["userInfo"];
    expect(username).toBe("system:serviceaccount:default:robot");
    await clock.advance(600_000);
    expect((await client.call("POST", path, {}, init)).status).toBe(401);
  });

  test("can be bound to a pod of the account (SUB-4)", async () => {
    const { client, request } = await setUp();
    await client.call("POST", pods, podOf("own", { serviceAccountName: "robot" }));
    await client.call("POST", pods, podOf("foreign", { serviceAccountName: "other" }));
    const bind = (reference: object) =>
      request({ boundObjectRef: { apiVersion: "v1", kind: "Pod", ...reference } });
    expect((await bind({ name: "own" })).status).toBe(201);
    expect(await bind({ name: "foreign" })).toMatchObject({
      status: 400,
      body: {
        message:
          'cannot bind token for serviceaccount "robot" to pod running with different serviceaccount name.',
      },
    });
    expect((await bind({ name: "own", uid: "another" })).status).toBe(409);
    expect((await bind({ name: "gone" })).body["message"]).toBe('pods "gone" not found');
    expect((await bind({ kind: "Foo", name: "x" })).body["message"]).toBe(
      "cannot bind token to object of type /v1, Kind=Foo",
    );
  });

  test.each([
    [5, "may not specify a duration less than 10 minutes"],
    [2 ** 33, "may not specify a duration larger than 2^32 seconds"],
  ])("for %i seconds is rejected (SUB-4)", async (expirationSeconds, why) => {
    const { request } = await setUp();
    const { body, status } = await request({ expirationSeconds });
    expect(status).toBe(422);
    expect(body["message"]).toBe(
      `TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: ${expirationSeconds}: ${why}`,
    );
  });

  test("is for the account in the path, which must exist", async () => {
    const { request } = await setUp();
    const gone = await request({}, "gone");
    expect(gone).toMatchObject({
      status: 404,
      body: { message: 'serviceaccounts "gone" not found' },
    });
    expect((await request({}, "robot", { name: "other" })).status).toBe(422);
    expect((await request({}, "robot", { namespace: "other" })).status).toBe(400);
  });
});

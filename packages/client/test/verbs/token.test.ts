import { createClient, createConnection, defineResource, isNotFound } from "@listwatch/client";
import type { KubernetesObject } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { expect, test } from "vitest";
import { answering, failureOf } from "../support/answering.ts";

const accounts = defineResource<KubernetesObject>({
  group: "",
  version: "v1",
  resource: "serviceaccounts",
  kind: "ServiceAccount",
  scope: "Namespaced",
});

test("a token of a service account is created, with audiences and expiry (CLI-6)", async () => {
  const clock = new SimulatedClock();
  const api = new FakeApiServer({ clock });
  const connection = createConnection({ server: "http://fake", fetch: api.fetch });
  const client = createClient(connection).resource(accounts);
  await client.create({ metadata: { namespace: "default", name: "robot" } });
  const options = { audiences: ["vault"], expirationSeconds: 600 };
  const { token, expirationTimestamp } = await client.token("default/robot", options);
  const [, claims = ""] = token.split(".");
  expect(JSON.parse(atob(claims.replaceAll("-", "+").replaceAll("_", "/")))).toMatchObject({
    aud: ["vault"],
    sub: "system:serviceaccount:default:robot",
  });
  expect(Date.parse(expirationTimestamp) - clock.now()).toBe(600_000);
  expect((await client.in("default").token("robot")).token).not.toBe(token);
  expect(isNotFound(await failureOf(client.token("default/none")))).toBe(true);
});

test("a token is requested with a TokenRequest (CLI-6)", async () => {
  const status = { token: "t", expirationTimestamp: "2026-01-01T00:00:00Z" };
  const { connection, requests } = answering(() => Response.json({ status }, { status: 201 }));
  const boundObjectRef = { kind: "Pod", name: "web-0" } as const;
  const client = createClient(connection).resource(accounts);
  expect(await client.token("a/b", { boundObjectRef, dryRun: true })).toEqual(status);
  const [request] = requests;
  expect(`${request?.method} ${request?.url}`).toBe(
    "POST http://server/api/v1/namespaces/a/serviceaccounts/b/token?dryRun=All&fieldValidation=Strict",
  );
  expect(await request?.json()).toEqual({
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    spec: { audiences: [], boundObjectRef },
  });
});

test("a response without a token fails without showing the response (AUTH-2)", async () => {
  const { connection } = answering(() => Response.json({ status: { token: "secret-secret" } }));
  const failure = await failureOf(createClient(connection).resource(accounts).token("a/b"));
  expect(failure).toMatchObject({ code: "LW_DECODE" });
  expect(String(failure)).not.toContain("secret");
});

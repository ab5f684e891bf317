import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.ts";

function bytesOf(base64Url: string): Uint8Array<ArrayBuffer> {
  const base64 = base64Url.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

describe("the issuer of the tokens of service accounts", () => {
  test("publishes the location of its keys", async () => {
    const { body, headers } = await new ApiClient(new FakeApiServer()).get(
      "/.well-known/openid-configuration",
    );

    expect(headers.get("content-type")).toBe("application/json");
    expect(body).toEqual({
      issuer: "https://kubernetes.default.svc",
      jwks_uri: "http://localhost/openid/v1/jwks",
      response_types_supported: ["id_token"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["ES256"],
    });
  });

  test("publishes the key that verifies its tokens", async () => {
    const client = new ApiClient(new FakeApiServer());
    const path = "/api/v1/namespaces/default/serviceaccounts";
    await client.call("POST", path, { metadata: { name: "a" } });
    const token: string = (await client.call("POST", `${path}/a/token`, {})).body["status"].token;
    const { body, headers } = await client.get("/openid/v1/jwks");
    const [header = "", payload = "", signature = ""] = token.split(".");
    const [jwk] = body["keys"];
    const { kid } = JSON.parse(new TextDecoder().decode(bytesOf(header)));

    expect(headers.get("content-type")).toBe("application/jwk-set+json");
    expect(jwk).toMatchObject({ use: "sig", kty: "EC", crv: "P-256", alg: "ES256", kid });
    const { crv, kty, x, y } = jwk;
    const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
    const key = await crypto.subtle.importKey("jwk", { crv, kty, x, y }, algorithm, true, [
      "verify",
    ]);
    const content = new TextEncoder().encode(`${header}.${payload}`);
    expect(await crypto.subtle.verify(algorithm, key, bytesOf(signature), content)).toBe(true);
  });
});

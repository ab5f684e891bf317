import { oneFile, pem, pemData, secureCluster } from "../oracle-case.ts";
import type { Addresses, OracleCase } from "../oracle-case.ts";

const pair = {
  "client-certificate-data": pemData("client.crt"),
  "client-key-data": pemData("client.key"),
};
const pairFiles = { "client.crt": pem("client.crt"), "client.key": pem("client.key") };

/** Forms of credentials, without plugins. */
export function userCases(addresses: Addresses): readonly OracleCase[] {
  const cluster = secureCluster(addresses);
  const of = (name: string, user: unknown, files: OracleCase["files"] = {}): OracleCase =>
    oneFile(`user ${name}`, { cluster, user }, { files });
  const token = (text: string) => ({ token: text });
  return [
    of("empty", {}),
    of("null", null),
    of("that is a list", []),
    of("that is a text", "abc"),
    oneFile("user not named by the context", { cluster, context: { user: undefined } }),
    oneFile("user that does not exist", { cluster, context: { user: "other" } }),
    oneFile("user with an empty name", { cluster, context: { user: "" } }),
    of("with a token", { token: "abc" }),
    of("with an empty token", { token: "" }),
    of("with a null token", { token: null }),
    of("with a number as token", { token: 12345 }),
    of("with a flag as token", { token: true }),
    of("with spaces around the token", { token: "  abc  " }),
    of("with a line end after the token", { token: "abc\n" }),
    of("with a token in Unicode", { token: "añb" }),
    of("with a token file", { tokenFile: "token" }, { token: "from-file" }),
    of("with a token file with line ends", { tokenFile: "token" }, { token: "from-file\r\n\n" }),
    of("with a token file in a folder", { tokenFile: "a/token" }, { "a/token": "abc" }),
    of("with a token file above", { tokenFile: "a/../token" }, { token: "abc" }),
    of("with an empty token file", { tokenFile: "token" }, { token: "" }),
    of("with an empty token file and a token", { tokenFile: "token", token: "t" }, { token: "" }),
    of("with a missing token file", { tokenFile: "token" }),
    of("with a missing token file and a token", { tokenFile: "token", token: "abc" }),
    of("with a token file and a token", { tokenFile: "token", token: "x" }, { token: "file" }),
    of("with a name and a password", { username: "me", password: "pä:ss" }),
    of("with a name alone", { username: "me" }),
    of("with a password alone", { password: "secret" }),
    of("with a token and a password", { ...token("abc"), username: "me", password: "p" }),
    of("with a token file and a password", { tokenFile: "token", username: "me" }, { token: "t" }),
    of("with a certificate as data", pair),
    of(
      "with a certificate in files",
      { "client-certificate": "client.crt", "client-key": "client.key" },
      pairFiles,
    ),
    of(
      "with a certificate as data and its key in a file",
      { "client-certificate-data": pair["client-certificate-data"], "client-key": "client.key" },
      pairFiles,
    ),
    of(
      "with a certificate as data and in a file",
      { ...pair, "client-certificate": "client.crt" },
      pairFiles,
    ),
    of("with a key as data and in a file", { ...pair, "client-key": "client.key" }, pairFiles),
    of("with a certificate without key", {
      "client-certificate-data": pair["client-certificate-data"],
    }),
    of("with a key without certificate", { "client-key-data": pair["client-key-data"] }),
    of("with a missing certificate file", { "client-certificate": "a", "client-key": "b" }),
    of("with the key of another certificate", {
      ...pair,
      "client-key-data": pemData("renewed.key"),
    }),
    of("with an encrypted key", { ...pair, "client-key-data": pemData("client.encrypted.key") }),
    of("with certificate data that are no base64", { ...pair, "client-key-data": "%%" }),
    of("with certificate data that are no PEM", { ...pair, "client-key-data": btoa("x") }),
    of("with wrapped certificate data", {
      ...pair,
      "client-key-data": (pair["client-key-data"].match(/.{1,64}/g) ?? []).join("\n"),
    }),
    of("with a certificate and a token", { ...pair, token: "abc" }),
    of("with a certificate and a password", { ...pair, username: "me", password: "p" }),
    ...impersonations(of),
    ...providers(of, addresses),
  ];
}

type CreateCase = (name: string, user: unknown, files?: OracleCase["files"]) => OracleCase;

function impersonations(of: CreateCase): readonly OracleCase[] {
  return [
    of("that impersonates", { token: "abc", as: "jane" }),
    of("that impersonates with groups", { token: "abc", as: "jane", "as-groups": ["a", "b c"] }),
    of("that impersonates with everything", {
      token: "abc",
      as: "jane",
      "as-uid": "7",
      "as-groups": ["a"],
      "as-user-extra": { "Example.com/scopes": ["x", "y"], "a%b": ["z"] },
    }),
    of("that impersonates in Unicode", { as: "jürgen", "as-groups": ["группа"] }),
    of("that impersonates without credentials", { as: "jane" }),
    of("that impersonates a group with a comma", { as: "jane", "as-groups": ["a,b"] }),
    of("that impersonates an empty group", { as: "jane", "as-groups": [""] }),
    of("that impersonates groups alone", { token: "abc", "as-groups": ["a"] }),
    of("that impersonates an uid alone", { token: "abc", "as-uid": "7" }),
    of("that impersonates an extra alone", { token: "abc", "as-user-extra": { a: ["b"] } }),
  ];
}

function providers(of: CreateCase, { http }: Addresses): readonly OracleCase[] {
  const provider = (name: string, config: object = {}) => ({ "auth-provider": { name, config } });
  const encode = (value: object): string =>
    Buffer.from(JSON.stringify(value)).toString("base64url");
  const idToken = (exp: number): string => `${encode({})}.${encode({ exp })}.c2ln`;
  const oidc = { "client-id": "k", "idp-issuer-url": http };
  const future = 4_102_444_800;
  return [
    of("of the provider gcp", provider("gcp")),
    of("of the provider azure", provider("azure")),
    of("of an unknown provider", provider("other")),
    of("of a provider without name", { "auth-provider": {} }),
    of("of oidc", provider("oidc", { ...oidc, "id-token": idToken(future) })),
    of(
      "of oidc with an end in fractions",
      provider("oidc", { ...oidc, "id-token": idToken(future + 0.5) }),
    ),
    of("of oidc without tokens", provider("oidc", oidc)),
    of("of oidc with a token that is over", provider("oidc", { ...oidc, "id-token": idToken(1) })),
    of("of oidc with a text as token", provider("oidc", { ...oidc, "id-token": "abc" })),
    of(
      "of oidc without issuer",
      provider("oidc", { "client-id": "k", "id-token": idToken(future) }),
    ),
    of("of oidc without client", provider("oidc", { "idp-issuer-url": http })),
    of("of oidc and a token", {
      ...provider("oidc", { ...oidc, "id-token": idToken(future) }),
      token: "abc",
    }),
    of("of oidc and a certificate", {
      ...provider("oidc", { ...oidc, "id-token": idToken(future) }),
      ...pair,
    }),
    of("of gcp with a token", { ...provider("gcp"), token: "abc" }),
  ];
}

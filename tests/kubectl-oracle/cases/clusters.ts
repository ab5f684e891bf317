import { oneFile, pem, pemData, secureCluster } from "../oracle-case.ts";
import type { Addresses, OracleCase } from "../oracle-case.ts";

const authority = { "certificate-authority-data": pemData("ca.crt") };
const user = { token: "abc" };

/** Addresses, certificates and proxies. */
export function clusterCases(addresses: Addresses): readonly OracleCase[] {
  const { http, https, named, proxy } = addresses;
  const secure = secureCluster(addresses);
  const of = (name: string, cluster: unknown, files: OracleCase["files"] = {}): OracleCase =>
    oneFile(`cluster ${name}`, { cluster, user }, { files });
  const at = (name: string, server: string): OracleCase => ({
    ...of(name, { ...secure, server }),
    command: "version",
  });
  const host = new URL(https).host;
  return [
    of("with an authority as data", secure),
    of(
      "with an authority in a file",
      { server: https, "certificate-authority": "ca.crt" },
      {
        "ca.crt": pem("ca.crt"),
      },
    ),
    of(
      "with an authority in a folder",
      { server: https, "certificate-authority": "a/ca.crt" },
      {
        "a/ca.crt": pem("ca.crt"),
      },
    ),
    of(
      "with an authority in a Windows folder",
      { server: https, "certificate-authority": "a\\ca.crt" },
      {
        "a\\ca.crt": pem("ca.crt"),
      },
    ),
    of(
      "with an authority on drive C",
      { server: https, "certificate-authority": "C:\\ca.crt" },
      {
        "C:\\ca.crt": pem("ca.crt"),
      },
    ),
    of("with a missing authority", { server: https, "certificate-authority": "ca.crt" }),
    of(
      "with an authority as data and in a file",
      { ...secure, "certificate-authority": "ca.crt" },
      {
        "ca.crt": pem("ca.crt"),
      },
    ),
    of(
      "with an empty authority file",
      { server: https, "certificate-authority": "ca.crt" },
      {
        "ca.crt": "",
      },
    ),
    of("with another authority", {
      server: https,
      "certificate-authority-data": pemData("other-ca.crt"),
    }),
    of("with two authorities", {
      server: https,
      "certificate-authority-data": btoa(pem("other-ca.crt") + pem("ca.crt")),
    }),
    of("with an authority after a text", {
      server: https,
      "certificate-authority-data": btoa(`Subject: x\n\n${pem("ca.crt")}`),
    }),
    of("without an authority", { server: https }),
    of("with data that are no certificate", {
      server: https,
      "certificate-authority-data": btoa("x"),
    }),
    of("with data that are no base64", { server: https, "certificate-authority-data": "%%" }),
    of("that is insecure", { server: https, "insecure-skip-tls-verify": true }),
    of("that is insecure with an authority", { ...secure, "insecure-skip-tls-verify": true }),
    of("with a text as flag", { server: https, "insecure-skip-tls-verify": "true" }),
    of("with a server name", { ...authority, server: named, "tls-server-name": "kubernetes.test" }),
    of("with a wrong server name", { ...secure, "tls-server-name": "kubernetes.test" }),
    of("with a certificate of another name", { ...authority, server: named }),
    of("of another name that is insecure", { server: named, "insecure-skip-tls-verify": true }),
    at("with a path", `${https}/k8s/clusters/c-1`),
    at("with a path and a slash", `${https}/k8s/clusters/c-1/`),
    at("with two slashes", `${https}//k8s`),
    at("with a slash", `${https}/`),
    at("with a query", `${https}/k8s?x=1`),
    at("with a query without path", `${https}?x=1`),
    at("with a fragment", `${https}/k8s#x`),
    of("with a scheme in capitals", { ...secure, server: https.replace("https", "HTTPS") }),
    of("with user information", { ...secure, server: https.replace("//", "//me:secret@") }),
    of("without a scheme", { ...authority, server: host }),
    of("without a scheme that is insecure", { server: host, "insecure-skip-tls-verify": true }),
    of("without a scheme and an authority", { server: new URL(http).host }),
    of("of an unknown scheme", { ...secure, server: `ftp://${host}` }),
    of("with spaces around the address", { ...secure, server: ` ${https} ` }),
    of("with an empty address", { ...authority, server: "" }),
    of("with a null address", { ...authority, server: null }),
    of("without an address", authority),
    of("that is empty", {}),
    of("that is null", null),
    of("over HTTP", { server: http }),
    oneFile("cluster over HTTP without a user", { cluster: { server: http } }),
    oneFile("cluster over HTTP with a password", {
      cluster: { server: http },
      user: { username: "me", password: "p" },
    }),
    oneFile("cluster over HTTP with impersonation", {
      cluster: { server: http },
      user: { as: "j" },
    }),
    of("over HTTP with an authority", { ...authority, server: http }),
    of("that is not compressed", { ...secure, "disable-compression": true }),
    of("behind a proxy", { ...secure, "proxy-url": proxy }),
    of("behind a proxy with a password", {
      ...secure,
      "proxy-url": proxy.replace("//", "//me:se%20cret@"),
    }),
    of("over HTTP behind a proxy", { server: http, "proxy-url": proxy }),
    of("behind a proxy without scheme", { ...secure, "proxy-url": new URL(proxy).host }),
    of("behind a proxy of an unknown scheme", { ...secure, "proxy-url": "ftp://127.0.0.1:1" }),
    of("behind a proxy that is no address", { ...secure, "proxy-url": "http://[::1" }),
    of("with unknown fields", { ...secure, more: { a: 1 }, "api-version": "v1" }),
  ];
}

import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { connect, type DetailedPeerCertificate } from "node:tls";
import type { ClusterConfig, NetworkError, PemSource } from "@listwatch/client";
import { answerLimitMs, serverOption, type Examined } from "./examined.ts";
import { describeTime, failed, passed, type Finding } from "./finding.ts";

/** Certificate of a server, trusted or not. */
interface ShownCertificate {
  /** OpenSSL's name of the fault; `""` for none. */
  readonly fault: string;
  readonly issuer: string;
  /** `DNS:localhost, IP Address:127.0.0.1`. */
  readonly names: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

/**
 * Examines the certificate of the server.
 *
 * @param failure error of the first request; `undefined` if it was answered
 */
export async function judgeTls({ config }: Examined, failure?: NetworkError): Promise<Finding> {
  const { origin, server } = config;
  if (server.startsWith("unix:")) return passed("tls", "not needed on a socket of this machine");
  if (!server.startsWith("https:")) return judgePlain(config);
  if (/EPROTO|ERR_SSL_/.test(failure?.message ?? "")) {
    const remedy = `Write http:// in the address of ${origin}, if the way there is safe`;
    return failed("tls", `the server does not speak TLS: ${failure?.message}`, remedy);
  }
  if (config.insecureSkipVerify === true) {
    const remedy = `Replace insecure-skip-tls-verify by certificate-authority-data in ${origin}`;
    return failed("tls", "any certificate is taken, so that anyone between can read along", remedy);
  }
  const shown = await readShown(config).catch(() => undefined);
  if (failure !== undefined) return explain(config, failure, shown);
  // The transport has accepted it; a proxy may prevent its examination.
  if (shown === undefined) return passed("tls", "the certificate of the server is trusted");
  return passed("tls", `issued by ${shown.issuer}, until ${describeTime(shown.untilMs)}`);
}

function judgePlain({ origin, server }: ClusterConfig): Finding {
  const { hostname } = new URL(server);
  if (/^(localhost|127\..*|\[::1\])$/.test(hostname)) {
    return passed("tls", "not needed on this machine");
  }
  const remedy = `Write https:// in the address of ${origin}`;
  return failed("tls", "none: anyone between can read the credentials", remedy);
}

function explain(
  config: ClusterConfig,
  failure: NetworkError,
  shown: ShownCertificate | undefined,
): Finding {
  const { origin } = config;
  if (shown === undefined) {
    return failed("tls", failure.message, `Check the certificates that ${origin} names`);
  }
  const { fault, fromMs, issuer, names, untilMs } = shown;
  if (fault === "CERT_HAS_EXPIRED") {
    const remedy = "Renew it (kubeadm certs renew all; kind and minikube: make the cluster again)";
    return failed(
      "tls",
      `the certificate of the server expired at ${describeTime(untilMs)}`,
      remedy,
    );
  }
  if (fault === "CERT_NOT_YET_VALID") {
    const remedy = "Set the clocks of this machine and of the server by NTP";
    return failed(
      "tls",
      `the certificate of the server is valid from ${describeTime(fromMs)}`,
      remedy,
    );
  }
  if (fault === "ERR_TLS_CERT_ALTNAME_INVALID") {
    const elsewhere = origin === serverOption ? "a kubeconfig" : origin;
    const remedy = `Use one of these names in the address, or as tls-server-name in ${elsewhere}`;
    return failed("tls", `the server's certificate is for ${names}`, remedy);
  }
  const message = `the certificate is issued by ${issuer}, which is not trusted (${fault})`;
  return failed("tls", message, remedyOfDistrust(config));
}

function remedyOfDistrust({ ca, origin }: ClusterConfig): string {
  if (origin === serverOption) {
    return "Name a file with the certificate of that authority in NODE_EXTRA_CA_CERTS, or take a kubeconfig that has it (KUBECONFIG) in place of --server";
  }
  return ca === undefined
    ? `Put the certificate of that authority into certificate-authority-data of ${origin}`
    : `${origin} has another authority, maybe of a cluster before: write it again (kind export kubeconfig, aws eks update-kubeconfig, gcloud container clusters get-credentials)`;
}

/** Connects without trust and sends nothing. */
async function readShown(config: ClusterConfig): Promise<ShownCertificate> {
  const { hostname, port } = new URL(config.server);
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const ca = config.ca === undefined ? undefined : await readPem(config.ca);
  const { promise, resolve, reject } = Promise.withResolvers<ShownCertificate>();
  const servername = config.serverName ?? (/^[\d.]+$|:/.test(host) ? undefined : host);
  const socket = connect({
    host,
    port: port === "" ? 443 : Number(port),
    rejectUnauthorized: false,
    ...(ca === undefined ? {} : { ca }),
    ...(servername === undefined ? {} : { servername }),
  });
  socket.setTimeout(answerLimitMs, () => socket.destroy(new Error("no answer")));
  socket.once("error", reject).once("secureConnect", () => {
    const { authorizationError } = socket;
    const fault = authorizationError === null ? "" : String(authorizationError ?? "");
    resolve({ ...described(socket.getPeerCertificate(true)), fault });
    socket.destroy();
  });
  return promise;
}

function described(certificate: DetailedPeerCertificate): Omit<ShownCertificate, "fault"> {
  const { issuer, subjectaltname = "no name", valid_from: from, valid_to: until } = certificate;
  const [name] = [issuer.CN].flat();
  return {
    issuer: `"${name}"`,
    names: subjectaltname,
    fromMs: Date.parse(from),
    untilMs: Date.parse(until),
  };
}

/** Returns the expiry of a PEM certificate. */
export function endOfCertificate(pem: string): number {
  return Date.parse(new X509Certificate(pem).validTo);
}

/** Returns the PEM data of a source. */
export function readPem(source: PemSource): Promise<string> {
  return "text" in source ? Promise.resolve(source.text) : readFile(source.file, "utf8");
}

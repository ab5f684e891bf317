import type { NetworkError } from "@listwatch/client";
import { networkErrorFrom } from "@listwatch/client/base";
import { describeError, withTimeLimit } from "@listwatch/core-fifo/base";
import { answerLimitMs, type Examined } from "./examined.ts";
import { failed, passed, type Finding, skipped } from "./finding.ts";

/** Response to the first request, for the version, without credentials. */
export interface FirstAnswer {
  readonly status: number;
  /** Value of the field `Date`. */
  readonly date: string | undefined;
  /** Target of a redirect. */
  readonly location: string | undefined;
  readonly text: string;
  readonly sentMs: number;
  readonly receivedMs: number;
}

/** Requests the version of the server. @throws {NetworkError} */
export async function askVersion(examined: Examined): Promise<FirstAnswer> {
  const { anonymous, clock, config } = examined;
  const sentMs = clock.now();
  try {
    return await withTimeLimit({ clock, limitMs: answerLimitMs }, async (signal) => {
      const url = `${anonymous.server}/version`;
      const response = await anonymous.fetch(new Request(url, { redirect: "manual", signal }));
      const receivedMs = clock.now();
      const date = response.headers.get("date") ?? undefined;
      const location = response.headers.get("location") ?? undefined;
      const text = await response.text();
      return { status: response.status, date, location, text, sentMs, receivedMs };
    });
  } catch (error) {
    throw networkErrorFrom(error, `Cannot reach ${config.server}`);
  }
}

/** Judges the address by the failure of the first request. */
export function judgeFailure({ config }: Examined, error: NetworkError): Finding {
  const where = `the address is that of ${config.origin}`;
  // The certificate is another finding; with one, the address is right.
  if (isTlsFailure(error)) return passed("address", `${config.server} answers`);
  const text = describeError(error);
  if (error.kind === "connection-refused") {
    const remedy = `No process listens there: start the cluster, or correct its address; ${where}`;
    return failed("address", text, remedy);
  }
  if (/ENOTFOUND|EAI_AGAIN/.test(text)) {
    const remedy = `The name is not known: check its spelling, DNS and VPN; ${where}`;
    return failed("address", text, remedy);
  }
  if (error.kind === "timeout") {
    const remedy = `Nothing answers: check VPN, firewall and HTTPS_PROXY; ${where}`;
    return failed("address", text, remedy);
  }
  if (mayExpectTls(config.server, error)) {
    const remedy = `It may expect TLS: write https:// in the address; ${where}`;
    return failed("address", text, remedy);
  }
  const remedy = `Check what is between, such as a proxy (HTTPS_PROXY, NO_PROXY); ${where}`;
  return failed("address", text, remedy);
}

/** Whether a server hung up because it expects TLS. */
export function mayExpectTls(server: string, error: NetworkError): boolean {
  return server.startsWith("http:") && /reset|eof/.test(error.kind);
}

/** Whether a server exists, with different expectations of TLS. */
export function isTlsFailure(error: NetworkError): boolean {
  return error.kind === "untrusted-certificate" || /EPROTO|ERR_SSL|ENOENT/.test(error.message);
}

/** Judges the address by the first response. */
export function judgeAnswer({ config }: Examined, answer: FirstAnswer): Finding {
  const { location, receivedMs, sentMs, status, text } = answer;
  const { origin, server } = config;
  // The response of net/http's server.go to HTTP on a TLS port.
  if (text.startsWith("Client sent an HTTP request to an HTTPS server")) {
    const remedy = `Write https:// in the address of ${origin}`;
    return failed("address", `${server} expects HTTPS`, remedy);
  }
  if (status >= 300 && status < 400) {
    const remedy =
      "No API server redirects: this is a login page or a gateway; use the address of the API server";
    return failed("address", `${server} leads to ${location ?? "another place"}`, remedy);
  }
  if (status >= 502 && status <= 504) {
    const remedy = "A proxy or load balancer is there, and no API server behind it: look at that";
    return failed("address", `${server} answers ${status}`, remedy);
  }
  const version = gitVersionOf(text);
  const isRefusal = status === 401 || status === 403;
  if (version === undefined && !isRefusal) {
    const remedy = `Correct the address of ${origin}: kubectl cluster-info shows that of a server`;
    return failed("address", `${server} answers ${status}, but is no API server`, remedy);
  }
  const tookMs = Math.round(receivedMs - sentMs);
  return passed(
    "address",
    `${server} answers in ${tookMs} ms, ${version ?? "it hides its version"}`,
  );
}

function gitVersionOf(text: string): string | undefined {
  const [, version] = /"gitVersion":\s*"([^"]+)"/.exec(text) ?? [];
  return version;
}

/** Leeway of Go's go-jose, which reads the tokens of service accounts: `DefaultLeeway`, a minute. */
const allowedMs = 60_000;

/** Compares the local clock with the field `Date` of a response, which has seconds. */
export function judgeClock({ date = "", receivedMs, sentMs }: FirstAnswer): Finding {
  const theirs = Date.parse(date);
  if (Number.isNaN(theirs)) return skipped("clock", "the server does not say what time it is");
  const skewMs = (sentMs + receivedMs) / 2 - (theirs + 500);
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  if (Math.abs(skewMs) <= allowedMs) {
    return passed("clock", seconds < 2 ? "as the server's" : `${seconds} s from the server's`);
  }
  const direction = skewMs > 0 ? "ahead of" : "behind";
  return failed(
    "clock",
    `the clock of this machine is ${seconds} s ${direction} the server's`,
    "Set the clocks by NTP (timedatectl set-ntp true): good tokens and certificates seem expired, or not valid yet",
  );
}

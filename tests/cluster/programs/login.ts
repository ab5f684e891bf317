// An exec plugin that prints a service account token with its expiry. Its arguments are a file with
// options, and one to which each run adds a line.
import { appendFileSync, readFileSync } from "node:fs";
import { signToken, type TokenSubject } from "./service-account-token.ts";

export interface LoginOptions extends TokenSubject {
  /** Seconds for which the API server accepts a token. */
  readonly seconds: number;
  /** Seconds after which the token expires according to the plugin. */
  readonly claimedSeconds: number;
}

const [options = "", runs = ""] = process.argv.slice(2);
const { claimedSeconds, seconds, ...subject } = JSON.parse(
  readFileSync(options, "utf8"),
) as LoginOptions;
const { apiVersion } = JSON.parse(process.env["KUBERNETES_EXEC_INFO"] ?? "{}") as {
  readonly apiVersion?: string;
};
appendFileSync(runs, "run\n");
const expirationTimestamp = new Date(Date.now() + claimedSeconds * 1000).toISOString();
const status = { token: signToken(subject, seconds), expirationTimestamp };
console.log(JSON.stringify({ kind: "ExecCredential", apiVersion, status }));

// An exec plugin: a token of a service account, and when it ends. Its argument is a file with what
// it has to know; each run adds a line to a second one.
import { appendFileSync, readFileSync } from "node:fs";
import { signToken, type TokenSubject } from "./service-account-token.ts";

/** What is in the file. */
export interface LoginOptions extends TokenSubject {
  /** Seconds for which the API server takes a token. */
  readonly seconds: number;
  /** Seconds for which the plugin says that the token is good. */
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

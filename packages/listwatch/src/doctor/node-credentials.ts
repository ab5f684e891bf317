import { readFile } from "node:fs/promises";
import { isStatusError, type UserCredentials } from "@listwatch/client";
import { describeError, isRecord, recordOf, stringOf, stringsOf } from "@listwatch/core-fifo/base";
import type { Examined, Identity } from "./examined.ts";
import { describeTime, failed, passed, type Finding } from "./finding.ts";
import { endOfCertificate, readPem } from "./node-certificates.ts";

/** Properties of credentials that are known without the server. */
interface OwnCredentials {
  readonly kind: string;
  /** Instructions for their renewal. */
  readonly renewal: string;
  readonly endMs?: number | undefined;
}

const anonymousUser = "system:anonymous";

/** Asks the server for the identity of the program; `undefined` if it is unknown. */
export async function judgeCredentials(
  examined: Examined,
): Promise<{ readonly finding: Finding; readonly identity: Identity | undefined }> {
  const { clock, config } = examined;
  const own = await readOwn(config.user, config.origin);
  const describe = (text: string): string => {
    const isOver = own.endMs !== undefined && own.endMs < clock.now();
    const end = own.endMs === undefined ? "" : describeTime(own.endMs);
    if (isOver) return `${text}: the ${own.kind} expired at ${end}`;
    return end === "" ? text : `${text}, until ${end}`;
  };
  const refused = (text: string): { finding: Finding; identity: undefined } => {
    return { finding: failed("credentials", describe(text), own.renewal), identity: undefined };
  };
  try {
    const identity = await whoAmI(examined);
    const { groups, username } = identity;
    if (username === anonymousUser) {
      return refused(`${own.kind}: the server takes it for ${anonymousUser}`);
    }
    const where = groups.length === 0 ? "" : ` (${groups.join(", ")})`;
    const text = describe(`${own.kind} of ${username}${where}`);
    return { finding: passed("credentials", text), identity };
  } catch (error) {
    if (isStatusError(error, "NotFound")) {
      const text = describe(`${own.kind}, accepted by a server that cannot say whose it is`);
      return { finding: passed("credentials", text), identity: undefined };
    }
    if (isStatusError(error, "Unauthorized")) return refused(`${own.kind}: refused (401)`);
    return refused(`${own.kind}: ${describeError(error)}`);
  }
}

/** Sends a SelfSubjectReview, which every server since 1.28 supports (KEP-3325). */
async function whoAmI({ client }: Examined): Promise<Identity> {
  const answer = await client.request({
    method: "POST",
    path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
    body: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
  });
  const user = recordOf(recordOf(recordOf(answer)["status"])["userInfo"]);
  return { username: stringOf(user["username"]), groups: stringsOf(user["groups"]) };
}

/** Reads the credentials in the connection's order of precedence. */
async function readOwn(user: UserCredentials, origin: string): Promise<OwnCredentials> {
  if (user.tokenFile !== undefined) {
    const text = await readFile(user.tokenFile, "utf8").catch(() => "");
    const renewal = `Write a new token into ${user.tokenFile}`;
    return { kind: "token file", renewal, endMs: endOfToken(text.trim()) };
  }
  if (user.token !== undefined) {
    const renewal = `Put a new token into ${origin}, such as one of kubectl create token`;
    return { kind: "token", renewal, endMs: endOfToken(user.token) };
  }
  if (user.exec !== undefined) {
    const { args, command, installHint } = user.exec;
    const hint = installHint === undefined ? "" : `; ${installHint.trim()}`;
    const renewal = `Run this in a shell, and log in: ${[command, ...args].join(" ")}${hint}`;
    return { kind: `credentials of ${command}`, renewal };
  }
  if (user.oidc !== undefined) {
    const { idToken = "", issuer } = user.oidc;
    const renewal = `Sign in to ${issuer} again, as you did for the tokens in ${origin}`;
    // With a refresh token, the expiry of this one does not matter.
    const endMs = user.oidc.refreshToken === undefined ? endOfToken(idToken) : undefined;
    return { kind: "tokens of OpenID Connect", renewal, endMs };
  }
  if (user.cert !== undefined) {
    const endMs = await readPem(user.cert)
      .then(endOfCertificate)
      .catch(() => undefined);
    const renewal = `Put a certificate of an authority that the server trusts into ${origin}`;
    return { kind: "client certificate", renewal, endMs };
  }
  if (user.username !== undefined) {
    const renewal = "Use a token or a certificate: Kubernetes has no passwords since 1.19";
    return { kind: "name and password", renewal };
  }
  return { kind: "no credentials", renewal: `Add a user to the context of ${origin}` };
}

/** Returns the claim `exp` of a JWT (RFC 7519 §4.1.4). */
function endOfToken(token: string): number | undefined {
  try {
    const [, claims = ""] = token.split(".");
    const parsed: unknown = JSON.parse(Buffer.from(claims, "base64url").toString());
    const end = isRecord(parsed) ? parsed["exp"] : undefined;
    return typeof end === "number" ? end * 1000 : undefined;
  } catch {
    return undefined;
  }
}

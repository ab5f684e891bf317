import type { ClusterConfig, UserCredentials } from "../credentials/cluster-config.ts";
import { hostOf, isLoopback } from "../transport/proxy-settings.ts";

/**
 * Returns a note on the credentials that must be withheld from a server: over HTTP without TLS
 * anyone between could read them. So kubectl sends none (client-go, tools/clientcmd:
 * `restclient.IsConfigTransportTLS`). Unlike there, this machine is excepted, if no proxy is used.
 * `undefined` if nothing is withheld.
 */
export function noteOfWithheld({ proxy, server, user }: ClusterConfig): string | undefined {
  const url = new URL(server);
  if (url.protocol !== "http:") return undefined;
  if (proxy === undefined && isLoopback(hostOf(url))) return undefined;
  const names = namesOf(user);
  if (names.length === 0) return undefined;
  const verb = names.length === 1 ? "was" : "were";
  return (
    `${names.join(" and ")} ${verb} withheld, since ${url.origin} is not encrypted: ` +
    "use https, or the option sendCredentialsOverHttp"
  );
}

/** Returns descriptions without secrets. */
function namesOf(user: UserCredentials): readonly string[] {
  const { cert, exec, impersonate, oidc, password, token, tokenFile, username } = user;
  const hasPassword = username !== undefined || password !== undefined;
  return [
    ...(token === undefined && tokenFile === undefined ? [] : ["the token"]),
    ...(hasPassword ? ["the user name with its password"] : []),
    ...(oidc === undefined ? [] : ["the token of the auth-provider oidc"]),
    ...(exec === undefined ? [] : [`the output of the plugin ${exec.command}`]),
    ...(cert === undefined ? [] : ["the client certificate"]),
    ...(impersonate === undefined ? [] : [`the impersonation of ${impersonate.user}`]),
  ];
}

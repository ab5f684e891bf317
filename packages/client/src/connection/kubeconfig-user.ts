import { isRecord } from "@listwatch/core-fifo/base";
import type {
  ExecConfig,
  Impersonation,
  OidcConfig,
  UserCredentials,
} from "../credentials/cluster-config.ts";
import { type KubeconfigEntry, pemOf } from "./kubeconfig-entry.ts";

/** Reads the credentials of a user. `cluster` is the information for a plugin. */
export function readUser(user: KubeconfigEntry, cluster: KubeconfigEntry): UserCredentials {
  const token = user.text("token");
  const tokenFile = user.path("tokenFile");
  const username = user.text("username");
  const password = user.text("password");
  const hasBasic = username !== undefined || password !== undefined;
  if ((token !== undefined || tokenFile !== undefined) && hasBasic) {
    throw user.fail("has both a token and a password; only one of them can be used");
  }
  const provider = user.optionalEntry("auth-provider");
  const cert = pemOf(user, "client-certificate");
  const key = pemOf(user, "client-key");
  if ((cert === undefined) !== (key === undefined)) {
    const [given, missing] = cert === undefined ? ["key", "certificate"] : ["certificate", "key"];
    throw user.fail(`has a client-${given} without client-${missing}`);
  }
  const execEntry = user.optionalEntry("exec");
  if (execEntry !== undefined && provider !== undefined) {
    throw user.fail("has both an exec plugin and an auth-provider; only one of them can be used");
  }
  return {
    cert,
    key,
    token,
    tokenFile,
    username,
    password,
    exec: execEntry === undefined ? undefined : readExec(execEntry, cluster),
    ...(provider === undefined ? {} : { oidc: readOidc(provider, user) }),
    impersonate: readImpersonation(user),
  };
}

/** k8s.io/client-go, plugin/pkg/client/auth/oidc. */
function readOidc(provider: KubeconfigEntry, user: KubeconfigEntry): OidcConfig {
  const name = provider.text("name") ?? "unknown";
  if (name !== "oidc") {
    throw user.fail(
      `uses the auth-provider "${name}", which Kubernetes has removed: use an exec plugin of the provider (for Google gke-gcloud-auth-plugin, for Azure kubelogin)`,
    );
  }
  const config = provider.entry("config");
  const issuer = config.text("idp-issuer-url");
  const clientId = config.text("client-id");
  if (issuer === undefined || !/^https?:$/.test(URL.parse(issuer)?.protocol ?? "")) {
    throw config.fail("expected idp-issuer-url to be an address of the identity provider");
  }
  if (clientId === undefined) throw config.fail("has no client-id");
  return {
    issuer,
    clientId,
    clientSecret: config.text("client-secret"),
    ca: pemOf(config, "idp-certificate-authority"),
    idToken: config.text("id-token"),
    refreshToken: config.text("refresh-token"),
  };
}

const supportedVersions = [
  "client.authentication.k8s.io/v1",
  "client.authentication.k8s.io/v1beta1",
];

const interactiveModes = ["Never", "IfAvailable", "Always"] as const;

function readExec(exec: KubeconfigEntry, cluster: KubeconfigEntry): ExecConfig {
  const apiVersion = exec.text("apiVersion") ?? "";
  if (!supportedVersions.includes(apiVersion)) {
    throw exec.fail(
      `expected apiVersion to be ${supportedVersions.join(" or ")}, got "${apiVersion}"`,
    );
  }
  const name = exec.text("command");
  if (name === undefined) throw exec.fail("has no command");
  const modeName = exec.text("interactiveMode") ?? "IfAvailable";
  const interactiveMode = interactiveModes.find((mode) => mode === modeName);
  if (interactiveMode === undefined) {
    throw exec.fail(`expected interactiveMode to be ${interactiveModes.join(", ")}`);
  }
  return {
    apiVersion,
    // Only a command with a slash is a path. Others are looked up in the search path.
    command: /[\\/]/.test(name) ? (exec.path("command") ?? name) : name,
    args: exec.texts("args"),
    env: readVariables(exec),
    interactiveMode,
    installHint: exec.text("installHint"),
    cluster: exec.flag("provideClusterInfo") ? describeCluster(cluster) : undefined,
    ...(exec.flag("provideClusterInfo") ? caFileOf(cluster) : {}),
  };
}

function readVariables(exec: KubeconfigEntry): Readonly<Record<string, string>> {
  const variables = exec.list("env").map((item) => {
    const { name, value = "" } = isRecord(item) ? item : {};
    if (typeof name === "string" && typeof value === "string") return [name, value] as const;
    throw exec.fail("expected each entry of env to have a name and a value that are texts");
  });
  return Object.fromEntries(variables);
}

/** k8s.io/client-go, tools/auth/exec: `ConfigToExecCluster`. */
function describeCluster(cluster: KubeconfigEntry): Readonly<Record<string, unknown>> {
  const ca = pemOf(cluster, "certificate-authority");
  const members = {
    server: addressForPlugin(cluster.text("server") ?? ""),
    "tls-server-name": cluster.text("tls-server-name"),
    "insecure-skip-tls-verify": cluster.flag("insecure-skip-tls-verify") || undefined,
    "certificate-authority-data": ca !== undefined && "text" in ca ? btoa(ca.text) : undefined,
    "proxy-url": cluster.text("proxy-url"),
    "disable-compression": cluster.flag("disable-compression") || undefined,
    config: execExtension(cluster),
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** clientcmd's `ClientConfig` drops query and fragment of an address with a path. */
function addressForPlugin(server: string): string {
  const [start] = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i.exec(server) ?? [];
  const path = URL.parse(server)?.pathname ?? "";
  return start === undefined || path.length <= 1 ? server : start + path;
}

function caFileOf(cluster: KubeconfigEntry): { readonly clusterCaFile?: string } {
  const ca = pemOf(cluster, "certificate-authority");
  return ca !== undefined && "file" in ca ? { clusterCaFile: ca.file } : {};
}

function execExtension(cluster: KubeconfigEntry): unknown {
  const name = "client.authentication.k8s.io/exec";
  const extension = cluster
    .list("extensions")
    .find((item) => isRecord(item) && item["name"] === name);
  return isRecord(extension) ? extension["extension"] : undefined;
}

function readImpersonation(user: KubeconfigEntry): Impersonation | undefined {
  const name = user.text("as");
  const groups = user.texts("as-groups");
  const uid = user.text("as-uid");
  const extra = user.entry("as-user-extra");
  if (name === undefined) {
    const isAlone = groups.length > 0 || uid !== undefined || extra.names.length > 0;
    if (isAlone) throw user.fail("has as-groups, as-uid or as-user-extra without as");
    return undefined;
  }
  const values = extra.names.map((key) => [key, extra.texts(key)] as const);
  return { user: name, groups, uid, extra: Object.fromEntries(values) };
}

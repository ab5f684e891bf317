import { isRecord, recordOf, stringOf, type JsonObject } from "@listwatch/core-fifo/base";
import type { KubeConfigLike } from "./kube-config-like.ts";

/** The state of a `KubeConfig` at one moment. */
export interface KubeConfigSnapshot {
  readonly document: JsonObject;
  /** Name of the context; `undefined` if none is set. */
  readonly context: string | undefined;
  /** Name of the user of the context, if it has one. */
  readonly user: string | undefined;
  readonly credentials: UserKind;
}

/** Sources of a user's credentials. */
export type UserKind =
  /** The user has no credentials. */
  | "none"
  /** Fields of a kubeconfig: tokens, certificates, files, passwords, plugins. */
  | "data"
  /** Code of `@kubernetes/client-node`, or of an added authenticator. */
  | "code";

/** The kinds of `auth-provider` that client-node 2.x has code for. */
const codedProviders: readonly string[] = ["azure", "gcp", "oidc"];

/** Reads clusters, users and contexts. Later changes of the KubeConfig have no effect. */
export function takeSnapshot(config: KubeConfigLike, context?: string): KubeConfigSnapshot {
  const exported = recordOf(JSON.parse(config.exportConfig()));
  const currentContext = context ?? config.getCurrentContext();
  const contextEntry = recordOf(findEntry(exported["contexts"], currentContext)?.["context"]);
  const userName = stringOf(contextEntry["user"]);
  const userEntry = findEntry(exported["users"], userName);
  const user = recordOf(userEntry?.["user"]);
  const isCoded =
    hasCodedProvider(user) || hasOldPlugin(user) || isTakenByAddedCode(config, userName, user);
  const clusters = listOf(exported["clusters"]).map(withoutUnusedAuthority);
  const users = [{ name: userName, user: isCoded ? {} : asInKubeconfig(user) }];
  return {
    document: { ...exported, clusters, ...(userEntry !== undefined && { users }) },
    context: currentContext,
    user: userName === "" ? undefined : userName,
    credentials: isCoded ? "code" : hasData(user) ? "data" : "none",
  };
}

/**
 * kubectl refuses a certificate authority beside `insecure-skip-tls-verify`. client-node accepts
 * both and verifies nothing.
 */
function withoutUnusedAuthority(entry: unknown): unknown {
  const cluster = recordOf(recordOf(entry)["cluster"]);
  if (cluster["insecure-skip-tls-verify"] !== true) return entry;
  const {
    "certificate-authority": _file,
    "certificate-authority-data": _data,
    ...others
  } = cluster;
  return { ...recordOf(entry), cluster: others };
}

function hasCodedProvider(user: JsonObject): boolean {
  const provider = recordOf(user["auth-provider"]);
  const { exec, tokenFile } = recordOf(provider["config"]);
  if (isSet(exec) || isSet(tokenFile)) return false;
  return codedProviders.includes(stringOf(provider["name"]));
}

/** client-node runs plugins of every version, also of `v1alpha1`, which kubectl has dropped. */
function hasOldPlugin(user: JsonObject): boolean {
  const { exec } = recordOf(recordOf(user["auth-provider"])["config"]);
  const plugin = isSet(user["exec"]) ? user["exec"] : exec;
  if (!isSet(plugin)) return false;
  return !/^client\.authentication\.k8s\.io\/v1(?:beta1)?$/.test(
    stringOf(recordOf(plugin)["apiVersion"]),
  );
}

/** client-node asks its built-in authenticators first, then the added ones. */
function isTakenByAddedCode(config: KubeConfigLike, name: string, user: JsonObject): boolean {
  if (isSet(user["exec"])) return false;
  const { exec, tokenFile } = recordOf(recordOf(user["auth-provider"])["config"]);
  if (isSet(exec) || isSet(tokenFile)) return false;
  const taken = findEntry(Reflect.get(config, "users"), name);
  if (taken === undefined) return false;
  return addedAuthenticators(config).some((added) => added.isAuthProvider(taken) === true);
}

/** An argument of `addAuthenticator` of a KubeConfig. */
interface AddedAuthenticator {
  isAuthProvider(user: unknown): unknown;
}

/** Returns the added authenticators, for which a KubeConfig has no getter. */
export function addedAuthenticators(config: KubeConfigLike): readonly AddedAuthenticator[] {
  const added: unknown = Reflect.get(config, "custom_authenticators");
  return Array.isArray(added) ? added.filter(isAuthenticator) : [];
}

function isAuthenticator(value: unknown): value is AddedAuthenticator {
  return isRecord(value) && typeof value["isAuthProvider"] === "function";
}

/**
 * Turns a user into one that a kubeconfig may have. client-node writes `auth-provider` entries for
 * fields of kubeconfigs, and accepts users that kubectl refuses.
 */
function asInKubeconfig(user: JsonObject): JsonObject {
  return withoutUnusedPassword(withoutProvider(user));
}

/** client-node prefers a token to a password. */
function withoutUnusedPassword(user: JsonObject): JsonObject {
  if (!isSet(user["token"]) && !isSet(user["tokenFile"])) return user;
  const { password: _password, username: _username, ...others } = user;
  return others;
}

function withoutProvider(user: JsonObject): JsonObject {
  const { "auth-provider": provider, ...others } = user;
  const { exec, tokenFile } = recordOf(recordOf(provider)["config"]);
  if (isSet(user["exec"])) return others;
  if (isSet(exec)) return { ...others, exec };
  if (!isSet(tokenFile)) return user;
  // `loadFromCluster` makes such a user. client-node prefers `token`.
  return isSet(user["token"]) ? others : { ...others, tokenFile };
}

function hasData(user: JsonObject): boolean {
  return Object.entries(user).some(([name, value]) => name !== "as" && isSet(value));
}

function findEntry(list: unknown, name: string | undefined): JsonObject | undefined {
  return listOf(list)
    .filter((entry) => isRecord(entry))
    .find((entry) => entry["name"] === name);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

import { isRecord, recordOf, stringOf, type JsonObject } from "@listwatch/core-fifo/base";
import type { KubeConfigLike } from "./kube-config-like.ts";

/** A `KubeConfig` as it is at one moment. */
export interface KubeConfigSnapshot {
  /** A parsed kubeconfig. */
  readonly document: JsonObject;
  /** Name of the context; `undefined` if none is set. */
  readonly context: string | undefined;
  /** Name of the user of the context, if it has one. */
  readonly user: string | undefined;
  /** What the user has for credentials. */
  readonly credentials: UserKind;
}

/** Whose work the credentials of a user are. */
export type UserKind =
  /** There are none. */
  | "none"
  /** A kubeconfig says it all: tokens, certificates, files, passwords, plugins. */
  | "data"
  /** Code of `@kubernetes/client-node`, or an authenticator that was added to it. */
  | "code";

/** The kinds of `auth-provider` that client-node 2.x has code for. */
const codedProviders: readonly string[] = ["azure", "gcp", "oidc"];

/** Reads clusters, users and contexts; what is changed in the KubeConfig later has no effect. */
export function takeSnapshot(config: KubeConfigLike, context?: string): KubeConfigSnapshot {
  const exported = recordOf(JSON.parse(config.exportConfig()));
  const currentContext = context ?? config.getCurrentContext();
  const contextEntry = recordOf(findEntry(exported["contexts"], currentContext)?.["context"]);
  const userName = stringOf(contextEntry["user"]);
  const userEntry = findEntry(exported["users"], userName);
  const user = recordOf(userEntry?.["user"]);
  const isCoded = hasCodedProvider(user) || isTakenByAddedCode(config, userName, user);
  const users = [{ name: userName, user: isCoded ? {} : asInKubeconfig(user) }];
  return {
    document: userEntry === undefined ? exported : { ...exported, users },
    context: currentContext,
    user: userName === "" ? undefined : userName,
    credentials: isCoded ? "code" : hasData(user) ? "data" : "none",
  };
}

function hasCodedProvider(user: JsonObject): boolean {
  const provider = recordOf(user["auth-provider"]);
  const { exec, tokenFile } = recordOf(provider["config"]);
  if (isSet(exec) || isSet(tokenFile)) return false;
  return codedProviders.includes(stringOf(provider["name"]));
}

/** client-node asks its own authenticators first, then those of `addAuthenticator`. */
function isTakenByAddedCode(config: KubeConfigLike, name: string, user: JsonObject): boolean {
  if (isSet(user["exec"])) return false;
  const { exec, tokenFile } = recordOf(recordOf(user["auth-provider"])["config"]);
  if (isSet(exec) || isSet(tokenFile)) return false;
  const taken = findEntry(Reflect.get(config, "users"), name);
  if (taken === undefined) return false;
  return addedAuthenticators(config).some((added) => added.isAuthProvider(taken) === true);
}

/** What `addAuthenticator` of a KubeConfig takes. */
interface AddedAuthenticator {
  isAuthProvider(user: unknown): unknown;
}

/** The authenticators that were added to a KubeConfig, which has no getter for them. */
export function addedAuthenticators(config: KubeConfigLike): readonly AddedAuthenticator[] {
  const added: unknown = Reflect.get(config, "custom_authenticators");
  return Array.isArray(added) ? added.filter(isAuthenticator) : [];
}

function isAuthenticator(value: unknown): value is AddedAuthenticator {
  return isRecord(value) && typeof value["isAuthProvider"] === "function";
}

/** The user, without what client-node writes as an `auth-provider` and a kubeconfig says itself. */
function asInKubeconfig(user: JsonObject): JsonObject {
  const { "auth-provider": provider, ...others } = user;
  const { exec, tokenFile } = recordOf(recordOf(provider)["config"]);
  if (isSet(user["exec"])) return others;
  if (isSet(exec)) return { ...others, exec };
  if (!isSet(tokenFile)) return user;
  // `loadFromCluster` makes such a user. client-node gives `token` the preference.
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

import { isRecord, aString, checkOptions } from "@listwatch/core-fifo/base";
import { ConfigError } from "../errors/errors.ts";
import type { ClusterConfig, UserCredentials } from "../credentials/cluster-config.ts";
import { KubeconfigEntry, pemOf } from "./kubeconfig-entry.ts";
import { readUser } from "./kubeconfig-user.ts";

/** A kubeconfig file, parsed. */
export interface KubeconfigFile {
  /** Path of the file. Relative paths in it start from its folder. */
  readonly path: string;
  /** Result of a YAML or JSON parser; `null` or `undefined` for an empty file. */
  readonly document: unknown;
}

/** Options of {@link resolveKubeconfig}. */
export interface ResolveOptions {
  /** Name of the context to use. @default the `current-context` of the first file that has one */
  readonly context?: string | undefined;
}

/**
 * Resolves a context of a kubeconfig by kubectl's rules. The first file that sets a value or names
 * an entry wins, data takes precedence over files, and relative paths start from the folder of
 * their file. Unknown fields are ignored. Does no I/O.
 *
 * @param files parsed files in the order of `KUBECONFIG`
 * @throws {ConfigError} with file, entry and field
 */
export function resolveKubeconfig(
  files: readonly KubeconfigFile[],
  options: ResolveOptions = {},
): ClusterConfig {
  checkOptions(options, { context: aString });
  return resolveContext(files, options).config;
}

/** A resolved context, with the place of its user. */
interface ResolvedContext {
  readonly config: ClusterConfig;
  /** File and name of the user; `undefined` for an anonymous one. */
  readonly user: { readonly file: string; readonly name: string } | undefined;
}

/** Like {@link resolveKubeconfig}, for functions that change the entry of the user. */
export function resolveContext(
  files: readonly KubeconfigFile[],
  options: ResolveOptions,
): ResolvedContext {
  const documents = files.flatMap(readDocument);
  const where = files.map(({ path }) => path).join(", ");
  const contextName = options.context ?? firstContext(documents);
  if (contextName === undefined) {
    const known = describeNames(documents, "contexts");
    throw new ConfigError(
      `Cannot use the kubeconfig ${where}: no current-context is set, and no context was asked for; it has ${known}`,
    );
  }
  const context = find(documents, "contexts", contextName);
  if (context === undefined) {
    const known = describeNames(documents, "contexts");
    throw new ConfigError(
      `Cannot use the kubeconfig ${where}: there is no context "${contextName}"; it has ${known}`,
    );
  }
  const cluster = named(documents, context, "cluster", "clusters");
  if (cluster === undefined) throw context.fail("names no cluster");
  const user = named(documents, context, "user", "users");
  const members = readCluster(cluster);
  const credentials = user === undefined ? {} : readUser(user, cluster);
  const config = {
    origin: `kubeconfig ${context.file}, context "${contextName}"`,
    namespace: context.text("namespace"),
    ...members,
    server: withScheme(members, credentials),
    user: credentials,
  };
  return { config, user: user && { file: user.file, name: context.text("user") ?? "" } };
}

/**
 * kubectl accepts `10.0.0.1:6443` as an address, with TLS if other fields imply it, as in
 * client-go's `rest.defaultServerUrlFor`.
 */
function withScheme(
  { ca, insecureSkipVerify, server }: ClusterMembers,
  { cert }: UserCredentials,
): string {
  // clientcmd's `ClientConfig` drops a query.
  if (/^([a-z][a-z\d+.-]*:\/\/|unix:)/i.test(server)) return server.replace(/\?[^#]*/, "");
  const isSecure = ca !== undefined || cert !== undefined || insecureSkipVerify === true;
  return `${isSecure ? "https" : "http"}://${server}`;
}

function readDocument({ path, document }: KubeconfigFile): readonly KubeconfigEntry[] {
  if (document === null || document === undefined || document === "") return [];
  if (!isRecord(document)) {
    const got = Array.isArray(document) ? "a list" : `a ${typeof document}`;
    throw new ConfigError(`Cannot use the kubeconfig ${path}: expected an object, got ${got}`);
  }
  const entry = new KubeconfigEntry(path, "document", document);
  for (const section of sections) checkNames(entry, section);
  return [entry];
}

/** kubectl refuses a file that names two entries alike. */
function checkNames(document: KubeconfigEntry, section: Section): void {
  const names = new Set<unknown>();
  for (const item of document.list(section)) {
    if (!isRecord(item)) continue;
    const name = nameOf(item);
    if (names.has(name)) {
      throw document.fail(`has two ${section} with the name ${JSON.stringify(name)}`);
    }
    names.add(name);
  }
}

function firstContext(documents: readonly KubeconfigEntry[]): string | undefined {
  for (const document of documents) {
    const name = document.text("current-context");
    if (name !== undefined) return name;
  }
  return undefined;
}

const memberOf = { contexts: "context", clusters: "cluster", users: "user" } as const;
type Section = keyof typeof memberOf;
const sections = ["contexts", "clusters", "users"] as const;

function find(
  documents: readonly KubeconfigEntry[],
  section: Section,
  name: string,
): KubeconfigEntry | undefined {
  const member = memberOf[section];
  for (const document of documents) {
    for (const item of document.list(section)) {
      if (!isRecord(item) || nameOf(item) !== name) continue;
      const members = item[member] ?? {};
      const entry = new KubeconfigEntry(document.file, `${member} "${name}"`, item);
      if (!isRecord(members)) throw entry.wrong(member, "an object", members);
      return new KubeconfigEntry(document.file, entry.what, members);
    }
  }
  return undefined;
}

/** Some parsers read a name of digits as a number. */
function nameOf({ name }: Readonly<Record<string, unknown>>): unknown {
  return typeof name === "number" ? String(name) : name;
}

/** Returns the entry that a context names; `undefined` if it names none. */
function named(
  documents: readonly KubeconfigEntry[],
  context: KubeconfigEntry,
  member: "cluster" | "user",
  section: Section,
): KubeconfigEntry | undefined {
  const name = context.text(member);
  if (name === undefined) return undefined;
  const entry = find(documents, section, name);
  if (entry !== undefined) return entry;
  const known = describeNames(documents, section);
  throw context.fail(`names the ${member} "${name}", which does not exist; there are ${known}`);
}

function describeNames(documents: readonly KubeconfigEntry[], section: Section): string {
  const names = documents
    .flatMap((document) => document.list(section))
    .flatMap((item) => (isRecord(item) ? [nameOf(item)] : []))
    .filter((name) => typeof name === "string");
  const list = [...new Set(names)].map((name) => `"${name}"`).join(", ");
  return names.length === 0 ? `no ${section}` : `the ${section} ${list}`;
}

type ClusterMembers = Omit<ClusterConfig, "origin" | "namespace" | "user">;

function readCluster(cluster: KubeconfigEntry): ClusterMembers {
  const server = cluster.text("server");
  if (server === undefined) throw cluster.fail("has no server");
  const ca = pemOf(cluster, "certificate-authority");
  const insecureSkipVerify = cluster.flag("insecure-skip-tls-verify");
  if (insecureSkipVerify && ca !== undefined) {
    throw cluster.fail("has a certificate-authority, which insecure-skip-tls-verify makes useless");
  }
  return {
    server,
    ca,
    insecureSkipVerify,
    serverName: cluster.text("tls-server-name"),
    proxy: cluster.text("proxy-url"),
    compression: !cluster.flag("disable-compression"),
  };
}

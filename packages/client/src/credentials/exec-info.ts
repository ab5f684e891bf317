import { isRecord } from "@listwatch/core-fifo/base";
import type { ExecConfig } from "./cluster-config.ts";

/** Information that a plugin receives in addition to its configuration. */
export interface ExecSituation {
  /** Whether the plugin gets the terminal as its input. */
  readonly interactive: boolean;
  /** Authorities of the cluster in base64, if the kubeconfig has them in a file. */
  readonly authority?: string | undefined;
}

/**
 * Members of `spec.cluster` in the order of client-go's type `Cluster`. A plugin that compares or
 * hashes the value gets the same bytes as from kubectl.
 */
const clusterMembers = [
  "server",
  "tls-server-name",
  "insecure-skip-tls-verify",
  "certificate-authority-data",
  "proxy-url",
  "disable-compression",
  "config",
] as const;

/** Returns the value of `KUBERNETES_EXEC_INFO`, byte for byte as client-go encodes it. */
export function execInfo(
  { apiVersion, cluster }: ExecConfig,
  { authority, interactive }: ExecSituation,
): string {
  const fields = [
    ...(cluster === undefined ? [] : [`"cluster":${describeCluster(cluster, authority)}`]),
    `"interactive":${String(interactive)}`,
  ];
  const version = encodeAsGo(apiVersion);
  // Go's encoder ends with a new line.
  return `{"kind":"ExecCredential","apiVersion":${version},"spec":{${fields.join(",")}}}\n`;
}

function describeCluster(cluster: Readonly<Record<string, unknown>>, authority?: string): string {
  // A missing `config` is null, and other empty members are left out.
  const members: Record<string, unknown> = { config: null, ...cluster };
  if (authority !== undefined) members["certificate-authority-data"] = authority;
  const given = clusterMembers.filter((name) => members[name] !== undefined);
  return `{${given.map((name) => `"${name}":${encodeAsGo(members[name])}`).join(",")}}`;
}

/** Encodes a value like `encoding/json` of Go: names are sorted, HTML is escaped. */
function encodeAsGo(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(encodeAsGo).join(",")}]`;
  if (isRecord(value)) {
    const names = Object.keys(value).toSorted(compareAsGo);
    return `{${names.map((name) => `${encodeAsGo(name)}:${encodeAsGo(value[name])}`).join(",")}}`;
  }
  const text = JSON.stringify(value) ?? "null";
  return text.replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Go compares the bytes of UTF-8, whose order is that of the code points. */
function compareAsGo(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)];
  const index = left.findIndex((character, at) => character !== right[at]);
  if (index === -1) return left.length - right.length;
  return (left[index]?.codePointAt(0) ?? -1) - (right[index]?.codePointAt(0) ?? -1);
}

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Situation in which kubectl and listwatch read kubeconfigs. All paths are below its folder. */
export interface OracleCase {
  readonly name: string;
  /** Contents of the files by path. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** Paths that can be executed. */
  readonly programs?: readonly string[] | undefined;
  /** Symbolic links: targets by path. */
  readonly links?: Readonly<Record<string, string>> | undefined;
  /** Value of `KUBECONFIG`; `$DIR` is the folder. @default "$DIR/config" */
  readonly kubeconfig?: string | undefined;
  /** Option `--context`. */
  readonly context?: string | undefined;
  /** More environment variables; `$DIR` is the folder. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /**
   * Command of kubectl: `get --raw` drops the path of an address, `version` keeps it.
   *
   * @default "raw"
   */
  readonly command?: "raw" | "version" | undefined;
  /** Current folder. @default the folder */
  readonly cwd?: string | undefined;
}

/** Addresses that the cases use. */
export interface Addresses {
  /** TLS; its certificate is for `127.0.0.1`. */
  readonly https: string;
  /** TLS; its certificate is for `kubernetes.test` only. */
  readonly named: string;
  readonly http: string;
  readonly proxy: string;
}

const pki = join(import.meta.dirname, "../../packages/client/test/support/pki");

/** Returns a file of the certificates for tests. */
export function pem(name: string): string {
  return readFileSync(join(pki, name), "utf8");
}

/** Returns a file of the certificates as base64 data. */
export function pemData(name: string): string {
  return btoa(pem(name));
}

export type Members = Readonly<Record<string, unknown>>;

/** Parts of a kubeconfig with one context. */
export interface Parts {
  readonly cluster?: unknown;
  readonly user?: unknown;
  readonly context?: Members;
  readonly top?: Members;
}

/** Creates a kubeconfig with the context `x`, the cluster `c` and the user `u`. */
export function kubeconfig({ cluster, context = {}, top = {}, user = {} }: Parts): Members {
  return {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "x",
    clusters: [{ name: "c", cluster }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u", ...context } }],
    users: [{ name: "u", user }],
    ...top,
  };
}

/** The cluster of most cases. */
export function secureCluster({ https }: Addresses): Members {
  return { server: https, "certificate-authority-data": pemData("ca.crt") };
}

/** A case with one kubeconfig, written as JSON. */
export function oneFile(name: string, parts: Parts, rest: Partial<OracleCase> = {}): OracleCase {
  const { files, ...others } = rest;
  return {
    name,
    files: { config: JSON.stringify(kubeconfig(parts), undefined, 1), ...files },
    ...others,
  };
}

import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import {
  decodeText,
  describeError,
  hasCode,
  isRecord,
  aFunction,
  aString,
  someStrings,
  checkOptions,
} from "@listwatch/core-fifo/base";
import { ConfigError } from "../errors/errors.ts";
import type { ClusterConfig } from "../credentials/cluster-config.ts";
import { type KubeconfigFile, resolveContext, type ResolveOptions } from "./resolve-kubeconfig.ts";

/** Options of {@link loadKubeconfig}. */
export interface LoadKubeconfigOptions extends ResolveOptions {
  /** Paths of the files. @default those in `KUBECONFIG`, otherwise `~/.kube/config` */
  readonly paths?: readonly string[] | undefined;
  /** Parses YAML, such as `parse` of the package `yaml`. @default JSON.parse */
  readonly parse?: ((text: string) => unknown) | undefined;
}

/**
 * Returns the paths in `KUBECONFIG`, otherwise `~/.kube/config`, where `~` is `HOME`, otherwise the
 * home folder of the user.
 *
 * @param environment variables to read; by default those of the process
 */
export function kubeconfigPaths(
  environment: Readonly<Record<string, string | undefined>> = globalThis.process.env,
): readonly string[] {
  const paths = (environment["KUBECONFIG"] ?? "").split(delimiter).filter((path) => path !== "");
  if (paths.length > 0) return paths;
  // Not every runtime uses HOME for the home folder, but kubectl does.
  return [join(environment["HOME"] || homedir(), ".kube", "config")];
}

/**
 * Reads the kubeconfig files that kubectl would read, and resolves one of their contexts. Missing
 * files are skipped, as by kubectl. A file may be in UTF-8, or in UTF-16 with a byte order mark.
 *
 * @throws {ConfigError} if there is no file, or one is unreadable or invalid
 */
export async function loadKubeconfig(options: LoadKubeconfigOptions = {}): Promise<ClusterConfig> {
  checkOptions(options, { context: aString, paths: someStrings, parse: aFunction });
  const { paths = kubeconfigPaths(), parse = JSON.parse, ...resolving } = options;
  const files: KubeconfigFile[] = [];
  for (const path of paths) {
    const text = await readIfExists(path);
    // A program may change its current folder, but a relative path keeps its meaning.
    const file = { path: resolve(path), document: undefined };
    if (text !== undefined) files.push({ ...file, document: parseFile(path, text, parse) });
  }
  if (files.length === 0) {
    throw new ConfigError(`Cannot find a kubeconfig: there is no ${paths.join(", no ")}`);
  }
  const { config, user } = resolveContext(files, resolving);
  const { oidc } = config.user;
  if (oidc === undefined || user === undefined) return config;
  // Loaded on demand: most configurations have no such user.
  const { KubeconfigTokens } = await import("./node-kubeconfig-tokens.ts");
  const store = new KubeconfigTokens(user.file, user.name, parse);
  return { ...config, user: { ...config.user, oidc: { ...oidc, store } } };
}

async function readIfExists(path: string): Promise<string | undefined> {
  try {
    return decodeText(await readFile(path));
  } catch (cause) {
    if (hasCode(cause, "ENOENT")) return undefined;
    throw new ConfigError(`Cannot read the kubeconfig ${path}: ${describeError(cause)}`, { cause });
  }
}

function parseFile(path: string, text: string, parse: (text: string) => unknown): unknown {
  if (text.trim() === "") return undefined;
  try {
    return parse(text);
  } catch (error) {
    // The message of a parser quotes the text, which may be a token.
    const hint = parse === JSON.parse ? "; pass a YAML parser as parse, if it is YAML" : "";
    const where = placeOf(error);
    throw new ConfigError(
      `Cannot read the kubeconfig ${path}: its text cannot be parsed${where}${hint}`,
    );
  }
}

/** Returns line, column and kind of the first error, as in errors of the package `yaml`. */
function placeOf(error: unknown): string {
  if (!isRecord(error) || !Array.isArray(error["linePos"])) return "";
  const [start]: unknown[] = error["linePos"];
  if (!isRecord(start)) return "";
  const kind = typeof error["code"] === "string" ? ` (${error["code"]})` : "";
  return `: line ${String(start["line"])}, column ${String(start["col"])}${kind}`;
}

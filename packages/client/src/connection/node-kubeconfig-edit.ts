import { isDeepStrictEqual } from "node:util";
import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";

/** Parses the text of a kubeconfig. */
export type ParseKubeconfig = (text: string) => unknown;

/** Settings of a user's auth-provider. */
export type ProviderSettings = Readonly<Record<string, string>>;

/** Returns the settings of a user's auth-provider; `undefined` if the kubeconfig has none. */
export function readProviderSettings(document: unknown, user: string): JsonObject | undefined {
  const users = isRecord(document) ? document["users"] : undefined;
  const entry = (Array.isArray(users) ? users : []).find(
    (item) => isRecord(item) && String(item["name"]) === user,
  );
  const members = isRecord(entry) ? entry["user"] : undefined;
  const provider = isRecord(members) ? members["auth-provider"] : undefined;
  const settings = isRecord(provider) ? provider["config"] : undefined;
  return isRecord(settings) ? settings : undefined;
}

/**
 * Replaces settings of a user's auth-provider in the text of a kubeconfig. The rest of the text
 * stays as it is, comments included. Each edit is parsed to prove that nothing else has changed. A
 * form that cannot be edited is replaced by JSON, which is YAML too.
 *
 * @returns the new text; `undefined` if there is no such user
 */
export function editProviderSettings(
  text: string,
  user: string,
  settings: ProviderSettings,
  parse: ParseKubeconfig,
): string | undefined {
  let edited = text;
  for (const [name, value] of Object.entries(settings)) {
    const document = parse(edited);
    const held = readProviderSettings(document, user);
    if (held === undefined) return undefined;
    if (held[name] === value) continue;
    const wanted = withSetting(document, user, name, value);
    const isRight = (candidate: string): boolean => isSameDocument(candidate, wanted, parse);
    edited =
      editCandidates(edited, { name, held: held[name], value }).find(isRight) ??
      `${JSON.stringify(wanted, undefined, 2)}\n`;
  }
  return edited;
}

interface Edit {
  readonly name: string;
  readonly held: unknown;
  readonly value: string;
}

/** Returns the texts that may be the result of an edit, in the order of preference. */
function editCandidates(text: string, { name, held, value }: Edit): string[] {
  const quoted = JSON.stringify(value);
  if (typeof held === "string" && held !== "") {
    // A value may be plain or quoted. Each occurrence is one candidate: users may share a token.
    const pattern = `(\\b${name}["']?\\s*:[ \\t]*)(["']?)${escapePattern(held)}\\2(?=[\\s,}]|$)`;
    return replaceEach(text, pattern, ([, key = ""]) => key + quoted);
  }
  // Users whose tokens can be renewed have a refresh-token: a missing setting is added before it.
  const sibling = `(["']?)refresh-token\\1\\s*:`;
  return [
    ...replaceEach(text, `^([ \\t]*)(?=${sibling.replace("\\1", "\\2")})`, ([indent = ""]) => {
      return `${indent}${name}: ${quoted}\n${indent}`;
    }),
    ...replaceEach(text, sibling, ([key]) => `"${name}": ${quoted}, ${key}`),
  ];
}

/** Returns the result for each match, in which only this match is replaced. */
function replaceEach(
  text: string,
  pattern: string,
  replace: (match: readonly string[]) => string,
): string[] {
  return [...text.matchAll(new RegExp(pattern, "gm"))].map((match) => {
    const end = match.index + match[0].length;
    return text.slice(0, match.index) + replace(match) + text.slice(end);
  });
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

function isSameDocument(text: string, wanted: unknown, parse: ParseKubeconfig): boolean {
  try {
    return isDeepStrictEqual(parse(text), wanted);
  } catch {
    return false;
  }
}

/** Returns a copy of a kubeconfig with one other setting. */
function withSetting(document: unknown, user: string, name: string, value: string): unknown {
  const copy: unknown = structuredClone(document);
  const settings = readProviderSettings(copy, user);
  if (settings !== undefined) Reflect.set(settings, name, value);
  return copy;
}

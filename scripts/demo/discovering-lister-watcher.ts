import type { KubernetesObject } from "@listwatch/core-fifo";
import {
  networkErrorFrom,
  StatusError,
  type FetchFunction,
  createConnection,
} from "@listwatch/client";
import { httpListerWatcher, type ListerWatcher } from "@listwatch/reflector";

/** Which collection of which server. */
export interface Target {
  readonly server: string;
  readonly fetch: FetchFunction;
  /** Called for each request. */
  readonly headers: () => Record<string, string>;
  /** `pods`, or with its group `deployments.apps`. */
  readonly resource: string;
  /** Undefined = all namespaces. */
  readonly namespace: string | undefined;
}

/**
 * A lister-watcher for a resource whose version is not known: it asks the server before the first
 * list. As a part of the list this fails and is tried again like every list.
 */
export function discoveringListerWatcher(target: Target): ListerWatcher<KubernetesObject> {
  let found: ListerWatcher<KubernetesObject> | undefined;
  const find = async (signal: AbortSignal): Promise<ListerWatcher<KubernetesObject>> => {
    const version = await discoverVersion(target, signal);
    const { resource, group } = splitResource(target.resource);
    const { server, fetch, headers, namespace } = target;
    found = httpListerWatcher({
      connection: createConnection({ server, fetch, headers }),
      resource: { group, version, resource },
      ...(namespace === undefined ? {} : { namespace }),
    });
    return found;
  };
  return {
    list: async (options, context) =>
      (found ?? (await find(context.signal))).list(options, context),
    watch: async (options, context) =>
      (found ?? (await find(context.signal))).watch(options, context),
  };
}

function splitResource(name: string): { resource: string; group: string } {
  const dot = name.indexOf(".");
  return dot < 0
    ? { resource: name, group: "" }
    : { resource: name.slice(0, dot), group: name.slice(dot + 1) };
}

/** The version of the group that has the resource, the server's preferred one first. */
async function discoverVersion(target: Target, signal: AbortSignal): Promise<string> {
  const { resource, group } = splitResource(target.resource);
  // The core group has had one version from the first day on.
  if (group === "") return "v1";
  for (const version of await groupVersions(target, group, signal)) {
    const list = await get(target, `/apis/${group}/${version}`, signal);
    if (namesIn(list["resources"], "name").includes(resource)) return version;
  }
  throw new StatusError({
    kind: "Status",
    status: "Failure",
    code: 404,
    reason: "NotFound",
    message: `the server has no resource "${resource}" in the group "${group}"`,
  });
}

async function groupVersions(
  target: Target,
  group: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const document = await get(target, `/apis/${group}`, signal);
  const preferred = namesIn([document["preferredVersion"]], "version");
  return [...new Set([...preferred, ...namesIn(document["versions"], "version")])];
}

type Json = Readonly<Record<string, unknown>>;

async function get(
  { server, fetch, headers }: Target,
  path: string,
  signal: AbortSignal,
): Promise<Json> {
  const url = server.replace(/\/$/, "") + path;
  let response: Response;
  let text: string;
  try {
    const request = new Request(url, {
      signal,
      headers: { accept: "application/json", ...headers() },
    });
    response = await fetch(request);
    text = await response.text();
  } catch (error) {
    signal.throwIfAborted();
    throw networkErrorFrom(error, `Couldn't discover ${path}`);
  }
  if (!response.ok) throw new StatusError({ code: response.status, message: text.slice(0, 200) });
  return asRecord(parse(text));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`Couldn't discover the resource: expected JSON, got ${text.slice(0, 60)}`, {
      cause: error,
    });
  }
}

/** One text field of each element of an array that may be anything. */
function namesIn(list: unknown, field: string): readonly string[] {
  if (!Array.isArray(list)) return [];
  return list.map((item) => asRecord(item)[field]).filter((name) => typeof name === "string");
}

function asRecord(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

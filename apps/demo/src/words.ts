import { isNetworkError, isStatusError, type KubernetesObject } from "listwatch";
import { errorMessage } from "./arguments.ts";

/** A length of time in at most six characters: `7s`, `3m05s`, `2h04m`. */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)];
  const pad = (value: number): string => String(value % 60).padStart(2, "0");
  if (hours > 0) return `${hours}h${pad(minutes)}m`;
  return minutes > 0 ? `${minutes}m${pad(seconds)}s` : `${seconds}s`;
}

/** A measured time: `1.5 s`, with more digits below one second, `0.004 s`. */
export function formatSeconds(ms: number): string {
  const digits = ms >= 1000 ? 1 : ms >= 100 ? 2 : 3;
  return `${(ms / 1000).toFixed(digits)} s`;
}

/** A number of things: `1 change`, `50,000 changes`. */
export function formatCount(number: number, singular: string): string {
  return `${number.toLocaleString("en")} ${singular}${number === 1 ? "" : "s"}`;
}

/** The members that describe an object of a built-in kind; any kind may lack them. */
interface Described {
  readonly kind?: string;
  readonly metadata?: { readonly deletionTimestamp?: string; readonly resourceVersion?: string };
  readonly spec?: { readonly replicas?: unknown; readonly nodeName?: string };
  readonly status?: {
    readonly phase?: unknown;
    readonly readyReplicas?: number;
    readonly containerStatuses?: readonly {
      readonly state?: Readonly<Record<string, { readonly reason?: string }>>;
    }[];
  };
}

/**
 * The state of an object in one or two words, as in the STATUS column of kubectl; the
 * resourceVersion for kinds without one.
 */
export function describeState(object: KubernetesObject): string {
  const { kind, metadata, spec, status } = object as Described;
  if (metadata?.deletionTimestamp !== undefined) return "Terminating";
  if (typeof status?.phase === "string") {
    const containers = kind === "Pod" ? (status.containerStatuses ?? []) : [];
    const states = containers.flatMap(({ state = {} }) => Object.values(state));
    return states.find(({ reason }) => reason !== undefined)?.reason ?? status.phase;
  }
  if (typeof spec?.replicas === "number") {
    return `${status?.readyReplicas ?? 0}/${spec.replicas} ready`;
  }
  return `rv ${metadata?.resourceVersion ?? ""}`;
}

/** The visible part of an update: two states, or one if they are the same. */
export function describeChange(before: KubernetesObject, after: KubernetesObject): string {
  const [from, to] = [describeState(before), describeState(after)];
  if (from !== to) return `${from} → ${to}`;
  const { spec } = after as Described;
  const isBound = (before as Described).spec?.nodeName === undefined && spec?.nodeName;
  return isBound ? `${to} on ${spec?.nodeName}` : to;
}

const refusals: Readonly<Record<number, string>> = {
  401: "does not know who you are (401 Unauthorized): check the credentials",
  403: "does not let you watch this (403 Forbidden)",
  404: "has no such resource (404 Not Found): check --resource",
  410: "has compacted its history (410 Expired): listing again",
  429: "answers 429 Too Many Requests: asking again later",
};

/** Why the server cannot be listed or watched: one line with the remedy. */
export function describeProblem(error: unknown, server: string): string {
  if (isNetworkError(error, "connection-refused")) {
    return `Can't reach ${server}: nothing listens there (connection refused)`;
  }
  if (isNetworkError(error)) return `Lost ${server}: ${errorMessage(innermost(error))}`;
  if (!isStatusError(error)) return errorMessage(error);
  const { httpCode, message } = error;
  return `${server} ${refusals[httpCode] ?? `answers ${httpCode}`} · ${message}`;
}

/** The innermost cause is what the system reported; errors around it repeat the attempt. */
function innermost(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? innermost(error.cause) : error;
}

import { createClient, NetworkError, type ClusterConfig } from "@listwatch/client";
import { createClusterConnection } from "@listwatch/client/node";
import { systemClock } from "@listwatch/core-fifo/base";
import { judgeAccess, judgeResource } from "./access.ts";
import { judgeClock, askVersion, isTlsFailure, judgeAnswer, judgeFailure } from "./reach.ts";
import { answerLimitMs, type Examined } from "./examined.ts";
import { skipped, type CheckName, type Finding } from "./finding.ts";
import { judgeTls } from "./node-certificates.ts";
import { judgeCredentials } from "./node-credentials.ts";
import { judgeStreams } from "./streaming.ts";

/** Options of an examination. */
export interface ExamineOptions {
  /** Any name of the resource. */
  readonly resource: string;
  /** `undefined` for all namespaces. */
  readonly namespace: string | undefined;
}

/**
 * Examines the access of a program to a cluster and its rights there. Yields findings one by one,
 * in the order of {@link CheckName}. Checks that depend on a failed one are skipped.
 */
export async function* examine(
  config: ClusterConfig,
  options: ExamineOptions,
): AsyncGenerator<Finding, void, void> {
  await using connection = createClusterConnection(config);
  await using anonymous = createClusterConnection({ ...config, user: {} });
  const client = createClient(connection, { retries: 0, timeoutMs: answerLimitMs });
  const examined = { ...options, anonymous, client, clock: systemClock, config, connection };
  const isReached = yield* examineAddress(examined);
  if (isReached) yield* examineUse(examined);
  else yield* skipAll("the server is not reached", checksOfUse);
}

/** Checks that require a correct address. */
const checksOfUse = ["credentials", "resource", "access", "watch-list", "streaming"] as const;

async function* examineUse(examined: Examined): AsyncGenerator<Finding, void, void> {
  const { finding, identity } = await judgeCredentials(examined);
  yield finding;
  if (finding.outcome === "failed") {
    yield* skipAll("the credentials fail", checksOfUse.slice(1));
    return;
  }
  const { finding: found, resource } = await judgeResource(examined);
  yield found;
  if (resource === undefined) {
    yield* skipAll("there is nothing to watch", checksOfUse.slice(2));
    return;
  }
  const access = await judgeAccess(examined, resource, identity);
  yield access;
  if (access.outcome === "ok") yield* await judgeStreams(examined, resource);
  else yield* skipAll("access is missing", checksOfUse.slice(3));
}

async function* examineAddress(examined: Examined): AsyncGenerator<Finding, boolean, void> {
  try {
    const answer = await askVersion(examined);
    const address = judgeAnswer(examined, answer);
    yield address;
    yield await judgeTls(examined);
    yield judgeClock(answer);
    return address.outcome === "ok";
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    yield judgeFailure(examined, error);
    if (isTlsFailure(error)) yield await judgeTls(examined, error);
    else yield skipped("tls", "the server is not reached");
    yield skipped("clock", "the server is not reached");
    return false;
  }
}

function* skipAll(why: string, checks: readonly CheckName[]): Generator<Finding, void, void> {
  for (const check of checks) yield skipped(check, why);
}

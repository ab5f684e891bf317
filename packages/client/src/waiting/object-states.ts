import type { KubernetesObject, Scope } from "@listwatch/core-fifo";
import { escapeFieldValue, sleep, type Clock } from "@listwatch/core-fifo/base";
import { isNetworkError } from "../errors/network-error.ts";
import { isExpired, isStatusError } from "../errors/status-error.ts";
import { objectPath } from "../resource/paths.ts";
import type { ResourceClient } from "../verbs/resource-client.ts";

/** Delay before a failed watch is opened again, in milliseconds; doubled up to one second. */
const firstPauseMs = 500;
const longestPauseMs = 10_000;

/**
 * Yields the current and each later state of one object; `undefined` while it does not exist.
 * Continues after closed watches, network failures and expired versions, until the loop is left or
 * aborted.
 *
 * @throws {StatusError} if the server refuses permanently, for example with Forbidden
 * @throws {InvalidNameError} if the key is not that of an object
 */
export async function* objectStates<T extends KubernetesObject, S extends Scope, K extends string>(
  client: ResourceClient<T, S, unknown, K>,
  key: K,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): AsyncGenerator<T | undefined, void, undefined> {
  const { name, namespace } = client.objectName(key);
  // Checked like for other verbs: an invalid name would select no object, or those of all
  // namespaces.
  objectPath(client.resource, { name, namespace });
  const fieldSelector = `metadata.name=${escapeFieldValue(name)}`;
  const selection = { namespace, fieldSelector, signal };
  let pauseMs = firstPauseMs;
  for (;;) {
    try {
      const { items, resourceVersion } = await client.list({ ...selection, pageSize: 0 });
      yield items[0];
      for await (const event of client.watch({ ...selection, resourceVersion })) {
        if (event.type === "ERROR") break;
        if (event.type === "BOOKMARK") continue;
        yield event.type === "DELETED" ? undefined : event.object;
        pauseMs = firstPauseMs;
      }
    } catch (error) {
      if (signal.aborted || !passes(error)) throw error;
    }
    await sleep(pauseMs, { clock, signal });
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
  }
}

/** Codes of temporary refusals. */
const passing: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

function passes(error: unknown): boolean {
  if (isStatusError(error)) return isExpired(error) || passing.has(error.httpCode);
  return isNetworkError(error);
}

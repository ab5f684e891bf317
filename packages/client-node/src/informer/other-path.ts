import type { Connection, ResourceReference } from "@listwatch/client";
import type { KubernetesObject } from "@listwatch/core-fifo";
import type { ListerWatcher } from "@listwatch/reflector";

/** Placeholder for a path that is not a resource's. Requests replace it. */
export const standIn: ResourceReference = { group: "", version: "any", resource: "path" };
const standInPath = "/api/any/path";

/**
 * Makes a connection whose requests for the stand-in go to another path. The transport's headers
 * are copied back, because the client hides the credentials in them from its errors.
 */
export function connectToPath(connection: Connection, path: string): Connection {
  return {
    ...connection,
    fetch: async (request) => {
      const { headers, method, redirect, signal } = request;
      const url = replacePath(request.url, path);
      const sent = new Request(url, { headers, method, redirect, signal });
      try {
        return await connection.fetch(sent);
      } finally {
        for (const [name, value] of sent.headers) headers.set(name, value);
      }
    },
  };
}

/** Keeps the query, which takes precedence over that of the path. */
function replacePath(address: string, path: string): URL {
  const { search, searchParams } = new URL(address);
  const url = new URL(address.slice(0, -(standInPath + search).length) + path);
  for (const [name, value] of searchParams) url.searchParams.set(name, value);
  return url;
}

/** Replaces the placeholder by the requested path in the errors of a lister-watcher. */
export function nameOtherPath(
  watcher: ListerWatcher<KubernetesObject>,
  path: string,
): ListerWatcher<KubernetesObject> {
  const shown = path.replace(/\?.*/s, "");
  const fail = (error: unknown): never => {
    if (error instanceof Error) {
      error.message = error.message.replaceAll(standInPath, shown);
      if (Reflect.get(error, "path") === standInPath) Reflect.set(error, "path", shown);
    }
    throw error;
  };
  async function* named<Item>(items: Iterable<Item> | AsyncIterable<Item>): AsyncGenerator<Item> {
    try {
      yield* items;
    } catch (error) {
      fail(error);
    }
  }
  return {
    watchListSupported: watcher.watchListSupported,
    async list(options, context) {
      const result = await watcher.list(options, context).catch(fail);
      const { items } = result;
      if (!(Symbol.asyncIterator in items)) return result;
      return {
        get apiVersion() {
          return result.apiVersion;
        },
        get kind() {
          return result.kind;
        },
        get metadata() {
          return result.metadata;
        },
        items: named(items),
      };
    },
    watch: async (options, context) => named(await watcher.watch(options, context).catch(fail)),
  };
}

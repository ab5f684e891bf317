import { describeError, isRecord, ListwatchError, type Clock } from "@listwatch/core-fifo/base";
import { isNotFound, isStatusError } from "../errors/status-error.ts";
import { apiVersionOf, groupVersionPath } from "../resource/paths.ts";
import type { Requester } from "../http/request.ts";
import {
  readAggregated,
  readGroupList,
  readResourceList,
  splitGroupVersion,
  type DiscoveredResource,
  type GroupFailure,
  type ResourceTable,
} from "./discovered-resource.ts";

/** How long a response is used, in milliseconds: kubectl, `CachedDiscoveryClient`. */
const freshMs = 10 * 60_000;
/** Time between requests for a missing resource, in milliseconds. Its definition may be new. */
const missPauseMs = 10_000;

const accept =
  "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";

/** Type of an object, as in its members. */
export interface TypeReference {
  /** Group and version, such as `apps/v1`; only the version, such as `v1`, in the core group. */
  readonly apiVersion: string;
  /** Kind in that version, such as `Deployment`. */
  readonly kind: string;
}

/**
 * Finds the resources of a server. Results are cached for ten minutes. A missing resource is looked
 * up again, at most every ten seconds.
 *
 * A group version that hangs, fails or answers with something else hides no other one. It is named
 * in {@link ResourceTable.stale}, and a search within it that finds nothing rejects with a
 * {@link ListwatchError} with the code `LW_GROUP_DISCOVERY`, as client-go's
 * `ErrGroupDiscoveryFailed`.
 *
 * Methods reject like requests: with a {@link StatusError} or a {@link NetworkError}.
 */
export class Discovery {
  readonly #requester: Requester;
  readonly #clock: Clock;
  #table: ResourceTable | undefined;
  #askedMs = -Infinity;
  #asking: Promise<ResourceTable> | undefined;

  /** Called by {@link createClient}. */
  constructor(requester: Requester, clock: Clock) {
    this.#requester = requester;
    this.#clock = clock;
  }

  /** Returns all resources, and the groups that could not be reached. */
  async resources(): Promise<ResourceTable> {
    const isFresh = this.#clock.now() - this.#askedMs < freshMs;
    if (this.#table !== undefined && isFresh) return this.#table;
    return this.#ask();
  }

  /** Returns the resource for objects of this type; `undefined` if the server has none. */
  forKind({ apiVersion, kind }: TypeReference): Promise<DiscoveredResource | undefined> {
    return this.#find(
      (found) => found.kind === kind && apiVersionOf(found) === apiVersion,
      (groupVersion) => groupVersion === apiVersion,
    );
  }

  /**
   * Returns the resource for a name that a person types: plural, singular, short name or kind, in
   * any case, optionally with a group, or a version and a group, such as `deploy`,
   * `deployments.apps` or `deployments.v1.apps`. If several groups match, the server's first one
   * wins.
   */
  forResource(name: string): Promise<DiscoveredResource | undefined> {
    const [first = "", ...rest] = name.toLowerCase().split(".");
    const suffix = rest.join(".");
    const isMeant = (group: string, version: string): boolean =>
      suffix === group || suffix === `${version}.${group}`;
    return this.#find(
      (found) => {
        if (suffix !== "" && !isMeant(found.group, found.version)) return false;
        const { resource, singularName, kind, shortNames } = found;
        return [resource, singularName, kind.toLowerCase(), ...shortNames].includes(first);
      },
      (groupVersion) => {
        const { group, version } = splitGroupVersion(groupVersion);
        return suffix !== "" && isMeant(group, version);
      },
    );
  }

  /**
   * Returns the version of a group that the server prefers; `undefined` if it does not have the
   * group.
   *
   * @param group API group, such as `apps`; `""` for the core group
   */
  async preferredVersion(group: string): Promise<string | undefined> {
    const found = await this.#find(
      (resource) => resource.group === group,
      (groupVersion) => splitGroupVersion(groupVersion).group === group,
    );
    return found?.version;
  }

  /**
   * Clears the cache, so that the next call asks the server. For resources that were just installed
   * or removed; {@link ensureDefinition} calls it.
   */
  invalidate(): void {
    this.#table = undefined;
    this.#askedMs = -Infinity;
    // A response in flight may be outdated.
    this.#asking = undefined;
  }

  /**
   * @param isWithin whether a search that finds nothing is about this group version
   * @throws {ListwatchError} with the code `LW_GROUP_DISCOVERY` if that one could not be read
   */
  async #find(
    matches: (resource: DiscoveredResource) => boolean,
    isWithin: (groupVersion: string) => boolean,
  ): Promise<DiscoveredResource | undefined> {
    let table = await this.resources();
    let found = table.resources.find(matches);
    if (found === undefined && this.#clock.now() - this.#askedMs >= missPauseMs) {
      table = await this.#ask();
      found = table.resources.find(matches);
    }
    const failed = found === undefined ? table.stale.filter(isWithin) : [];
    if (failed.length > 0) throw createGroupDiscoveryError(failed, table.failures);
    return found;
  }

  #ask(): Promise<ResourceTable> {
    if (this.#asking !== undefined) return this.#asking;
    const asking = this.#read()
      .then((table) => {
        if (this.#asking !== asking) return table;
        this.#table = table;
        this.#askedMs = this.#clock.now();
        return table;
      })
      .finally(() => {
        if (this.#asking === asking) this.#asking = undefined;
      });
    this.#asking = asking;
    return asking;
  }

  async #read(): Promise<ResourceTable> {
    const roots = await Promise.all([this.#readRoot("/api"), this.#readRoot("/apis")]);
    const [core, groups] = roots;
    if (isStatusError(core) && isStatusError(groups)) throw groups;
    const tables = await Promise.all(
      roots.map((root, index) => this.#readBelow(root, index === 0)),
    );
    const table = {
      resources: tables.flatMap(({ resources }) => resources),
      stale: tables.flatMap(({ stale }) => stale),
      failures: tables.flatMap(({ failures }) => failures),
    };
    const [failure] = table.failures;
    // If no group version works, the server does not.
    if (failure !== undefined && tables.every(({ works }) => !works)) throw failure.error;
    return table;
  }

  /** Returns the error of a server without core group, or without others, as client-go does. */
  async #readRoot(path: string): Promise<unknown> {
    try {
      return await this.#get(path);
    } catch (error) {
      if (isNotFound(error) || isStatusError(error, "Forbidden")) return error;
      throw error;
    }
  }

  async #readBelow(root: unknown, isCore: boolean): Promise<TableOfRoot> {
    if (isStatusError(root)) return { resources: [], stale: [], failures: [], works: false };
    if (isAggregated(root)) return { ...readAggregated(root), failures: [], works: true };
    return this.#readEach(isCore ? ["v1"] : readGroupList(root));
  }

  /** Servers before 1.26 are asked for each group version. */
  async #readEach(groupVersions: readonly string[]): Promise<TableOfRoot> {
    const resources: DiscoveredResource[] = [];
    const failures: GroupFailure[] = [];
    const lists = await Promise.allSettled(
      groupVersions.map(async (name) => readResourceList(await this.#get(groupVersionPath(name)))),
    );
    for (const [index, list] of lists.entries()) {
      // The server of an aggregated API may fail alone. A group version with an invalid name cannot
      // be requested.
      if (list.status === "fulfilled") resources.push(...list.value);
      else failures.push({ groupVersion: groupVersions[index] ?? "", error: list.reason });
    }
    const stale = failures.map(({ groupVersion }) => groupVersion);
    return { resources, stale, failures, works: failures.length < groupVersions.length };
  }

  #get(path: string): Promise<unknown> {
    return this.#requester.sendForJson<unknown>({ method: "GET", path, accept });
  }
}

/** The resources below `/api` or `/apis`. */
interface TableOfRoot extends ResourceTable {
  /** Whether a group version could be read. */
  readonly works: boolean;
}

function isAggregated(document: unknown): boolean {
  return isRecord(document) && document["kind"] === "APIGroupDiscoveryList";
}

/** Creates the error for a search in group versions that could not be read. */
function createGroupDiscoveryError(
  failed: readonly string[],
  failures: readonly GroupFailure[],
): ListwatchError {
  const failure = failures.find(({ groupVersion }) => failed.includes(groupVersion));
  const reason = failure === undefined ? "the server calls it stale" : describeError(failure.error);
  return new ListwatchError(
    "LW_GROUP_DISCOVERY",
    `Cannot find the resource: expected the resources of ${failed.join(", ")}, got none: ${reason}`,
    {
      cause: failure?.error,
      advice: "Check the APIService of this group, and the server behind it",
    },
  );
}

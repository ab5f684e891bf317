import { isRecord, type Clock } from "@listwatch/core-fifo/base";
import { isStatusError } from "../errors/status-error.ts";
import { InvalidNameError } from "../resource/invalid-name-error.ts";
import { apiVersionOf, groupVersionPath } from "../resource/paths.ts";
import type { Requester } from "../http/request.ts";
import {
  readAggregated,
  readGroupList,
  readResourceList,
  type DiscoveredResource,
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
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * Finds the resources of a server. Results are cached for ten minutes. A missing resource is looked
 * up again, at most every ten seconds.
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
    return this.#find((found) => found.kind === kind && apiVersionOf(found) === apiVersion);
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
    return this.#find((found) => {
      if (suffix !== "" && suffix !== found.group && suffix !== `${found.version}.${found.group}`) {
        return false;
      }
      const { resource, singularName, kind, shortNames } = found;
      return [resource, singularName, kind.toLowerCase(), ...shortNames].includes(first);
    });
  }

  /**
   * Returns the version of a group that the server prefers; `undefined` if it does not have the
   * group.
   */
  async preferredVersion(group: string): Promise<string | undefined> {
    const found = await this.#find((resource) => resource.group === group);
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

  async #find(
    matches: (resource: DiscoveredResource) => boolean,
  ): Promise<DiscoveredResource | undefined> {
    const found = (await this.resources()).resources.find(matches);
    if (found !== undefined || this.#clock.now() - this.#askedMs < missPauseMs) return found;
    return (await this.#ask()).resources.find(matches);
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
    const [core, groups] = await Promise.all([this.#get("/api"), this.#get("/apis")]);
    if (isAggregated(core) && isAggregated(groups)) {
      const [first, second] = [readAggregated(core), readAggregated(groups)];
      return {
        resources: [...first.resources, ...second.resources],
        stale: [...first.stale, ...second.stale],
      };
    }
    return this.#readEach(["v1", ...readGroupList(groups)]);
  }

  /** Servers before 1.26 are asked for each group version. */
  async #readEach(groupVersions: readonly string[]): Promise<ResourceTable> {
    const stale: string[] = [];
    const lists = await Promise.all(
      groupVersions.map(async (groupVersion) => {
        try {
          return readResourceList(await this.#get(groupVersionPath(groupVersion)));
        } catch (error) {
          // The server of an aggregated API may fail alone. A group version with an invalid name
          // cannot be requested.
          if (!isStatusError(error) && !(error instanceof InvalidNameError)) throw error;
          stale.push(groupVersion);
          return [];
        }
      }),
    );
    return { resources: lists.flat(), stale };
  }

  #get(path: string): Promise<unknown> {
    return this.#requester.sendForJson<unknown>({ method: "GET", path, accept });
  }
}

function isAggregated(document: unknown): boolean {
  return isRecord(document) && document["kind"] === "APIGroupDiscoveryList";
}

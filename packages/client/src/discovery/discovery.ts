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

/** Milliseconds that an answer is good for: kubectl, `CachedDiscoveryClient`. */
const freshMs = 10 * 60_000;
/** Milliseconds between questions for what was not found: it may be a definition made just now. */
const missPauseMs = 10_000;

const accept =
  "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";

/** Names an object by its type, as its own members do. */
export interface TypeReference {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * Says which resources a server has. What it has learned it keeps for ten minutes; for what it does
 * not find it asks again, at most every ten seconds.
 *
 * Every method rejects as a request does: with a {@link StatusError} or a {@link NetworkError}.
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

  /** All resources, and which groups could not be asked. */
  async resources(): Promise<ResourceTable> {
    const isFresh = this.#clock.now() - this.#askedMs < freshMs;
    if (this.#table !== undefined && isFresh) return this.#table;
    return this.#ask();
  }

  /** The resource of the objects with this type; `undefined` if the server has none. */
  forKind({ apiVersion, kind }: TypeReference): Promise<DiscoveredResource | undefined> {
    return this.#find((found) => found.kind === kind && apiVersionOf(found) === apiVersion);
  }

  /**
   * The resource that a person means: by plural, singular, short name or kind, in any case of
   * letters, maybe with a group or a version and a group after it, such as `deploy`,
   * `deployments.apps` or `deployments.v1.apps`. Of several groups the server's first one counts.
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

  /** The version of a group that the server prefers; `undefined` if it has no such group. */
  async preferredVersion(group: string): Promise<string | undefined> {
    const found = await this.#find((resource) => resource.group === group);
    return found?.version;
  }

  /**
   * Forgets what was learned, so that the next question goes to the server: for what has just been
   * installed or removed. {@link ensureDefinition} calls it.
   */
  invalidate(): void {
    this.#table = undefined;
    this.#askedMs = -Infinity;
    // An answer that is on its way may be of before.
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
          // The server of an aggregated API may be away without the others being so; what has the
          // name of no group and version cannot be asked for.
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

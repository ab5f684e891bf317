import type { FakeApiServer, LoggedEvent } from "@listwatch/fake-apiserver";

/** State of a fake server, as the page shows it. */
export interface ServerState {
  readonly revision: number;
  readonly objectCount: number;
  /** The newest ones first. */
  readonly objects: readonly ShownObject[];
  readonly watches: readonly ShownWatch[];
  readonly requestCount: number;
  /** The last ones, the newest one first. */
  readonly requests: readonly ShownRequest[];
}

export interface ShownObject {
  readonly kind: string;
  /** With its namespace, such as `default/web`. */
  readonly name: string;
  readonly resourceVersion: number;
}

export interface ShownWatch {
  readonly id: string;
  readonly resource: string;
  /** The newest revision that the watch was sent. */
  readonly sentRevision: number;
}

export interface ShownRequest {
  readonly id: number;
  readonly text: string;
  readonly status: string;
}

const maxObjects = 50;
const maxRequests = 8;

/**
 * Follows a fake server through its control, which sends no requests: a program sees no difference.
 * The objects are the sum of the writes in the server's log. What a limit of the history drops
 * between two looks is missing.
 */
export class ServerObserver {
  readonly #control: FakeApiServer["control"];
  readonly #objects = new Map<string, LoggedEvent>();
  #revision = 0;

  constructor({ control }: FakeApiServer) {
    this.#control = control;
    // Both change the log: it is read before the first, and again from its start after the second.
    const compact = control.compact.bind(control);
    const restore = control.restore.bind(control);
    control.compact = (...options) => {
      this.#follow();
      compact(...options);
    };
    control.restore = (...snapshot) => {
      restore(...snapshot);
      this.#objects.clear();
      this.#revision = 0;
    };
  }

  state(): ServerState {
    this.#follow();
    const { recorder, revision, watches } = this.#control;
    const objects = [...this.#objects.values()].toSorted((a, b) => b.revision - a.revision);
    return {
      revision,
      objectCount: objects.length,
      objects: objects.slice(0, maxObjects).map(shownObject),
      watches: watches
        .list()
        .map(({ id, resource, sentRevision }) => ({ id, resource, sentRevision })),
      requestCount: recorder.count,
      requests: recorder
        .list()
        .slice(-maxRequests)
        .map(({ id, method, path, search, status }) => ({
          id,
          text: `${method} ${path}${search === "" ? "" : `?${search}`}`,
          status: status === undefined ? "…" : String(status),
        }))
        .toReversed(),
    };
  }

  #follow(): void {
    if (this.#control.revision === this.#revision) return;
    for (const event of this.#control.eventLog()) {
      if (event.revision <= this.#revision) continue;
      const key = `${event.resource} ${event.namespace}/${event.name}`;
      if (event.type === "DELETED") this.#objects.delete(key);
      else this.#objects.set(key, event);
    }
    this.#revision = this.#control.revision;
  }
}

function shownObject({ name, namespace, object, resource, revision }: LoggedEvent): ShownObject {
  return {
    kind: object.kind ?? resource,
    name: namespace === "" ? name : `${namespace}/${name}`,
    resourceVersion: revision,
  };
}

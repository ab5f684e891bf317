/** Called with a new object. */
const add = "add";
type add = typeof add;
/** Called with the new state of an object. */
const update = "update";
type update = typeof update;
/** `ADD`, `UPDATE` and `DELETE` together. */
const change = "change";
type change = typeof change;
/** Called with the last known state of a deleted object. */
const remove = "delete";
type remove = typeof remove;
/** Called without an argument before each list or watch that connects or reconnects. */
const connect = "connect";
type connect = typeof connect;
/** Called with each failure. The informer continues. */
const error = "error";
type error = typeof error;

export {
  add as ADD,
  change as CHANGE,
  connect as CONNECT,
  error as ERROR,
  remove as DELETE,
  update as UPDATE,
};

/** A verb for changes of single objects. */
export type ObjectVerb = add | update | remove;

/**
 * An object whose type no list function declares, such as one of `CustomObjectsApi`. It has the
 * members of client-node's `KubernetesObject`. As there, dates are strings at run time.
 */
export interface UntypedObject {
  /** Group and version, such as `apps/v1`. */
  apiVersion?: string;
  /** Kind, such as `Deployment`. */
  kind?: string;
  /** Metadata of the object. */
  metadata?: {
    /** Annotations: data of tools, which no selector matches. */
    annotations?: {
      /** Value of the annotation with this name. */
      [key: string]: string;
    };
    /** Time when the server created the object. */
    creationTimestamp?: Date;
    /** Time that the object has to end after its deletion was requested, in seconds. */
    deletionGracePeriodSeconds?: number;
    /** Time at which the object is to be gone. Set when its deletion is requested. */
    deletionTimestamp?: Date;
    /** Names of the parties that must act before the object is removed. */
    finalizers?: string[];
    /** Prefix of a name that the server completes. */
    generateName?: string;
    /** Number of the desired state, which grows with each change of the spec. */
    generation?: number;
    /** Labels, which selectors match. */
    labels?: {
      /** Value of the label with this name. */
      [key: string]: string;
    };
    /** Name, unique for the resource in the namespace. */
    name?: string;
    /** Namespace of the object; absent for cluster-scoped objects. */
    namespace?: string;
    /** Objects whose deletion deletes this one. */
    ownerReferences?: {
      /** Group and version of the owner. */
      apiVersion: string;
      /** Whether a foreground deletion of the owner waits for this object. */
      blockOwnerDeletion?: boolean;
      /** Whether the owner manages the object. At most one owner does. */
      controller?: boolean;
      /** Kind of the owner. */
      kind: string;
      /** Name of the owner, in the same namespace unless it is cluster-scoped. */
      name: string;
      /** Uid of the owner. */
      uid: string;
    }[];
    /** Version of this state, which changes with each write. */
    resourceVersion?: string;
    /** Path of the object. Servers since 1.20 do not send it. */
    selfLink?: string;
    /** Id that no other object ever has. */
    uid?: string;
  };
}

/** Called with an object. */
export type ObjectCallback<T> = (object: T) => void;

/** Called with an error or nothing. `any`, since programs written for client-node need it. */
// oxlint-disable-next-line typescript/no-explicit-any
export type ErrorCallback = (error?: any) => void;

/** A list as an API class of `@kubernetes/client-node` returns it. */
export interface KubernetesListObject<T> {
  /** Group and version of the list, such as `v1`. */
  readonly apiVersion?: string | undefined;
  /** Kind of the list, such as `PodList`. */
  readonly kind?: string | undefined;
  /** Metadata of the list. Its `resourceVersion` is the state from which the watch starts. */
  readonly metadata?: object | undefined;
  /** All objects of the collection. A list with a `continue` token is reported as incomplete. */
  readonly items: T[];
}

/** Lists the collection with the program's own client. */
export type ListPromise<T> = () => Promise<KubernetesListObject<T>>;

/** The readable part of an informer, as in `@kubernetes/client-node`. */
export interface ObjectCache<T> {
  /**
   * Returns the object of this name from the cache; `undefined` if there is none. O(1). Objects are
   * shared with the cache and must not be changed.
   *
   * @param namespace namespace of the object; absent or `""` for cluster-scoped objects
   */
  get(name: string, namespace?: string): T | undefined;
  /**
   * Returns the objects of a namespace from the cache. O(objects in the namespace). Objects are
   * shared with the cache and must not be changed.
   *
   * @param namespace namespace of the objects; absent or `""` for all namespaces
   */
  list(namespace?: string): readonly T[];
}

/** The interface `Informer` of `@kubernetes/client-node`. */
export interface Informer<T> {
  /**
   * Adds a callback. A callback that is added after the start is not called for cached objects.
   *
   * @throws {Error} `Unknown verb: …`
   */
  on(verb: ObjectVerb | change, callback: ObjectCallback<T>): void;
  on(verb: error | connect, callback: ErrorCallback): void;
  /** Removes one registration of a callback. @throws {Error} `Unknown verb: …` */
  off(verb: ObjectVerb | change, callback: ObjectCallback<T>): void;
  off(verb: error | connect, callback: ErrorCallback): void;
  /** Starts, or restarts after a stop. Resolves when the cache is filled and the watch answered. */
  start(): Promise<void>;
  /** Stops, and keeps the cache. Resolves when no request is left and queued events are delivered. */
  stop(): Promise<void>;
}

/** The interface of client-node's class `ListWatch`. */
export interface ListWatch<T> extends Informer<T>, ObjectCache<T> {
  /** The resourceVersion of the cache; `""` before the first list. */
  latestResourceVersion(): string;
}

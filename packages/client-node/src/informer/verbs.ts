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
  apiVersion?: string;
  kind?: string;
  metadata?: {
    annotations?: { [key: string]: string };
    creationTimestamp?: Date;
    deletionGracePeriodSeconds?: number;
    deletionTimestamp?: Date;
    finalizers?: string[];
    generateName?: string;
    generation?: number;
    labels?: { [key: string]: string };
    name?: string;
    namespace?: string;
    ownerReferences?: {
      apiVersion: string;
      blockOwnerDeletion?: boolean;
      controller?: boolean;
      kind: string;
      name: string;
      uid: string;
    }[];
    resourceVersion?: string;
    selfLink?: string;
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
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata?: object | undefined;
  readonly items: T[];
}

/** Lists the collection with the program's own client. */
export type ListPromise<T> = () => Promise<KubernetesListObject<T>>;

/** The readable part of an informer, as in `@kubernetes/client-node`. */
export interface ObjectCache<T> {
  /** O(1). `""` stands for cluster-scoped objects. @default "" */
  get(name: string, namespace?: string): T | undefined;
  /**
   * O(objects in the namespace). `""` lists all namespaces. Objects are shared with the cache and
   * must not be changed. @default all namespaces
   */
  list(namespace?: string): readonly T[];
}

/** The interface `Informer` of `@kubernetes/client-node`. */
export interface Informer<T> {
  /** @throws {Error} `Unknown verb: …` */
  on(verb: ObjectVerb | change, callback: ObjectCallback<T>): void;
  on(verb: error | connect, callback: ErrorCallback): void;
  /** Removes one registration of a callback. @throws {Error} `Unknown verb: …` */
  off(verb: ObjectVerb | change, callback: ObjectCallback<T>): void;
  off(verb: error | connect, callback: ErrorCallback): void;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** The interface of client-node's class `ListWatch`. */
export interface ListWatch<T> extends Informer<T>, ObjectCache<T> {
  /** The resourceVersion of the cache; `""` before the first list. */
  latestResourceVersion(): string;
}

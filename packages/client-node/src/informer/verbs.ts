/** Called with an object that appeared. */
const add = "add";
type add = typeof add;
/** Called with the new state of an object. */
const update = "update";
type update = typeof update;
/** All of `ADD`, `UPDATE` and `DELETE`. */
const change = "change";
type change = typeof change;
/** Called with the last known state of an object that is gone. */
const remove = "delete";
type remove = typeof remove;
/** Called without an argument before each list or watch that begins or repeats a connection. */
const connect = "connect";
type connect = typeof connect;
/** Called with each failure; the informer goes on. */
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

/** A verb of single objects. */
export type ObjectVerb = add | update | remove;

/** Called with an object. */
export type ObjectCallback<T> = (object: T) => void;

/** Called with an error, or with nothing. `any`, since programs written for client-node need it. */
// oxlint-disable-next-line typescript/no-explicit-any
export type ErrorCallback = (error?: any) => void;

/** A list as an API class of `@kubernetes/client-node` returns it. */
export interface KubernetesListObject<T> {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata?: object | undefined;
  readonly items: T[];
}

/** Lists the collection, with the client that the program has. */
export type ListPromise<T> = () => Promise<KubernetesListObject<T>>;

/** What can be read of an informer, as in `@kubernetes/client-node`. */
export interface ObjectCache<T> {
  /** O(1). `""` is no namespace. @default no namespace */
  get(name: string, namespace?: string): T | undefined;
  /**
   * O(objects in the namespace). `""` is all of them. Objects are shared with the cache and must
   * not be changed. @default all namespaces
   */
  list(namespace?: string): readonly T[];
}

/** What an informer of `@kubernetes/client-node` can do. */
export interface Informer<T> {
  /** @throws {Error} `Unknown verb: …` */
  on(verb: ObjectVerb | change, callback: ObjectCallback<T>): void;
  on(verb: error | connect, callback: ErrorCallback): void;
  /** Removes a callback that was added, once. @throws {Error} `Unknown verb: …` */
  off(verb: ObjectVerb | change, callback: ObjectCallback<T>): void;
  off(verb: error | connect, callback: ErrorCallback): void;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** What the class `ListWatch` of `@kubernetes/client-node` can do. */
export interface ListWatch<T> extends Informer<T>, ObjectCache<T> {
  /** The resourceVersion up to which the cache is complete; `""` before the first list. */
  latestResourceVersion(): string;
}

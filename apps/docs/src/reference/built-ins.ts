const mdn = "https://developer.mozilla.org/en-US/docs/Web";
const utilities = "https://www.typescriptlang.org/docs/handbook/utility-types.html";

const webTypes = new Set(
  "AbortSignal Blob Event EventTarget Headers ReadableStream Request Response URL WebSocket".split(
    " ",
  ),
);

const languageTypes = new Set(
  (
    "Array AsyncGenerator AsyncIterator Date Error Function Generator Iterator Map Math Number " +
    "Object Promise RangeError RegExp Set String Symbol TypeError Uint8Array WeakMap"
  ).split(" "),
);

const languagePages: ReadonlyMap<string, string> = new Map([
  [
    "AsyncIterable",
    "JavaScript/Reference/Iteration_protocols#the_async_iterator_and_async_iterable_protocols",
  ],
  [
    "AsyncIterableIterator",
    "JavaScript/Reference/Iteration_protocols#the_async_iterator_and_async_iterable_protocols",
  ],
  ["AsyncDisposable", "JavaScript/Reference/Global_Objects/Symbol/asyncDispose"],
  ["Disposable", "JavaScript/Reference/Global_Objects/Symbol/dispose"],
  ["Iterable", "JavaScript/Reference/Iteration_protocols#the_iterable_protocol"],
  ["IterableIterator", "JavaScript/Reference/Iteration_protocols#the_iterable_protocol"],
  ["PromiseLike", "JavaScript/Reference/Global_Objects/Promise#thenables"],
  ["ReadonlyMap", "JavaScript/Reference/Global_Objects/Map"],
  ["ReadonlySet", "JavaScript/Reference/Global_Objects/Set"],
]);

const utilityTypes = new Set(
  (
    "Awaited Exclude Extract NoInfer NonNullable Omit Parameters Partial Pick Readonly Record " +
    "Required ReturnType"
  ).split(" "),
);

/** The page about a type of the language or the platform. */
export function builtInUrl(name: string): string | undefined {
  if (webTypes.has(name)) return `${mdn}/API/${name}`;
  if (languageTypes.has(name)) return `${mdn}/JavaScript/Reference/Global_Objects/${name}`;
  if (utilityTypes.has(name)) return utilities;
  const page = languagePages.get(name);
  return page && `${mdn}/${page}`;
}

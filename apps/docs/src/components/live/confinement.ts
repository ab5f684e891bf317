/**
 * Members of a worker that lead out of it. The packages need none of them, because examples talk to
 * a fake server in the same worker.
 */
const exits = [
  "BroadcastChannel",
  "EventSource",
  "FontFace",
  "SharedWorker",
  "WebSocket",
  "WebSocketStream",
  "WebTransport",
  "Worker",
  "XMLHttpRequest",
  "caches",
  "cookieStore",
  "fonts",
  "importScripts",
  "indexedDB",
  "webkitRequestFileSystem",
  "webkitRequestFileSystemSync",
  "webkitResolveLocalFileSystemSyncURL",
  "webkitResolveLocalFileSystemURL",
];
const exitsOfNavigator = ["locks", "serviceWorker", "storage", "storageBuckets"];

/**
 * Takes network, storage, other workers and code in strings from the worker: a program can come
 * with a link, and the policy of the page does not hold in the worker. `import()` in a program is
 * compiled to the worker's table of modules; only code in a string could contain another one.
 *
 * Computing time and memory remain until Stop, and so do messages to the page, which shows them as
 * text.
 */
export function confine(): void {
  for (const name of exits) replace(globalThis, name, undefined);
  for (const name of exitsOfNavigator) replace(navigator, name, undefined);
  // The timers of the prototype would compile a string.
  for (const name of ["setTimeout", "setInterval"] as const) {
    replace(globalThis, name, globalThis[name]);
  }
  replace(globalThis, "fetch", (input: RequestInfo | URL) => {
    const url = input instanceof Request ? input.url : String(input);
    const reason = "a program in a page has no network, only servers that it makes";
    return Promise.reject(new TypeError(`Couldn't fetch ${url}: ${reason}`));
  });
  refuseCodeInStrings();
}

/** Replaces an inherited member, also where the prototypes have it. */
function replace(owner: object, name: string, value: unknown): void {
  for (
    let at: object | null = owner;
    at !== null;
    at = Object.getPrototypeOf(at) as object | null
  ) {
    if (Object.hasOwn(at, name)) lock(at, name, value);
  }
  if (name in owner && !Object.hasOwn(owner, name)) lock(owner, name, value);
}

function lock(owner: object, name: string, value: unknown): void {
  Object.defineProperty(owner, name, { value, configurable: false, writable: false });
}

function refuseCodeInStrings(): void {
  replace(globalThis, "eval", refuse);
  for (const one of [() => {}, async () => {}, function* () {}, async function* () {}]) {
    const prototype = Object.getPrototypeOf(one) as { readonly constructor: { name: string } };
    // The console shows the name, and asks whether a value is an instance.
    const stand = (): never => refuse();
    Object.defineProperty(stand, "name", { value: prototype.constructor.name });
    Object.defineProperty(stand, "prototype", { value: prototype });
    lock(prototype, "constructor", stand);
    if (prototype === Function.prototype) replace(globalThis, "Function", stand);
  }
}

function refuse(): never {
  throw new EvalError("Couldn't compile a string: a program in a page runs no code from strings");
}

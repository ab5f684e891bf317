import { recordOf } from "@listwatch/core-fifo/base";
import { EscapeError } from "./errors.ts";

/** Members of an object that reach out of a simulation. */
interface Exit {
  /** Name in errors, such as `fs.readFile`; the member's name replaces `*`. */
  readonly name: string;
  readonly target: object;
  readonly members: readonly string[];
}

const globalMembers = [
  "fetch",
  "WebSocket",
  "EventSource",
  "XMLHttpRequest",
  "Worker",
  "SharedWorker",
  "WebTransport",
  // Streams of these take the real time of other threads.
  "CompressionStream",
  "DecompressionStream",
];

const cryptoMembers = [
  "decrypt",
  "deriveBits",
  "deriveKey",
  "digest",
  "encrypt",
  "exportKey",
  "generateKey",
  "importKey",
  "sign",
  "unwrapKey",
  "verify",
  "wrapKey",
];

/**
 * Functions of Node's modules, by a pattern of their names: what ends or changes the process of the
 * test, what measures the machine, and what takes the real time of other threads or of the network.
 * The functions of `fs` are all but its classes.
 */
const nodeMembers: Readonly<Record<string, RegExp>> = {
  child_process: /^(exec|fork|spawn)/,
  cluster: /^fork$/,
  crypto:
    /^(argon2|checkPrime|createDiffieHellman|createECDH|encapsulate|generate(Key|Prime).*|hkdf|pbkdf2|publicEncrypt|randomUUIDv7|scrypt)$/,
  dgram: /^createSocket$/,
  dns: /^(lookup|resolve|reverse|Resolver$)/,
  "dns/promises": /^(lookup|resolve|reverse|Resolver$)/,
  fs: /^[a-z]/,
  "fs/promises": /^[a-z]/,
  http: /^(get|request)$/,
  http2: /^connect$/,
  https: /^(get|request)$/,
  inspector: /^(open|Session|waitForDebugger)$/,
  net: /^(connect|createConnection)$/,
  os: /^(freemem|loadavg|setPriority|uptime)$/,
  process:
    /^(_kill|abort|availableMemory|chdir|cpuUsage|dlopen|execve|exit|kill|loadEnvFile|memoryUsage|reallyExit|resourceUsage|threadCpuUsage)$/,
  tls: /^connect$/,
  v8: /^(getHeap|getCppHeap|writeHeap)/,
  worker_threads: /^Worker$/,
  zlib: /^(?!.*Sync$)(create|(de|in)flate|g(un)?zip$|unzip$|brotli|zstd)/,
};

/** The same for methods of classes. Others keep their own names of functions that call these. */
const nodeMethods: readonly (readonly [string, string, readonly string[]])[] = [
  ["child_process", "ChildProcess", ["spawn"]],
  ["net", "Socket", ["connect"]],
  ["net", "Server", ["listen"]],
];

/** Functions of the namespaces `Atomics`, `Deno` and `Bun`. */
const runtimeMembers: Readonly<Record<string, readonly string[]>> = {
  Atomics: ["wait", "waitAsync"],
  Bun: [
    "connect",
    "file",
    "listen",
    "nanoseconds",
    "randomUUIDv7",
    "serve",
    "sleep",
    "sleepSync",
    "spawn",
    "spawnSync",
    "udpSocket",
    "write",
  ],
  Deno: [
    "Command",
    "chdir",
    "connect",
    "connectTls",
    "create",
    "exit",
    "kill",
    "listen",
    "loadavg",
    "memoryUsage",
    "open",
    "openSync",
    "readDir",
    "readFile",
    "readFileSync",
    "readTextFile",
    "readTextFileSync",
    "resolveDns",
    "stat",
    "statSync",
    "writeFile",
    "writeFileSync",
    "writeTextFile",
    "writeTextFileSync",
  ],
};

/**
 * Lets everything that reaches out of a simulation throw: the network, files, processes, workers,
 * and WebCrypto, which takes real time.
 *
 * @param onEscape called with the error of such a call
 * @returns restores all of it
 */
export function closeExits(onEscape: (error: EscapeError) => void): () => void {
  const restores = exits().map((exit) => close(exit, onEscape));
  syncExports();
  return () => {
    for (const restore of restores) restore();
    syncExports();
  };
}

function exits(): readonly Exit[] {
  return [
    { name: "*", target: globalThis, members: globalMembers },
    {
      name: "crypto.subtle.*",
      target: prototypeOf(crypto.subtle),
      members: cryptoMembers,
    },
    ...nodeExits(),
    ...Object.entries(runtimeMembers).flatMap(([name, members]): readonly Exit[] => {
      const target: unknown = Reflect.get(globalThis, name);
      return isObject(target) ? [{ name: `${name}.*`, target, members }] : [];
    }),
  ];
}

function nodeExits(): readonly Exit[] {
  const functions = Object.entries(nodeMembers).flatMap(([name, pattern]): readonly Exit[] => {
    const target = builtin(name);
    const members = Object.getOwnPropertyNames(target ?? {}).filter((member) =>
      pattern.test(member),
    );
    return target === undefined ? [] : [{ name: `${name}.*`, target, members }];
  });
  const methods = nodeMethods.flatMap(([module, name, members]): readonly Exit[] => {
    const type: unknown = Reflect.get(builtin(module) ?? {}, name);
    const target: unknown = typeof type === "function" ? type.prototype : undefined;
    return isObject(target) ? [{ name: `${module}.${name}.*`, target, members }] : [];
  });
  return [...functions, ...methods];
}

/** Returns a module of the runtime, where it has such. */
export function builtin(name: string): object | undefined {
  const load: unknown = recordOf(Reflect.get(globalThis, "process"))["getBuiltinModule"];
  if (typeof load !== "function") return undefined;
  const found: unknown = load(`node:${name}`);
  return isObject(found) ? found : undefined;
}

/** Named imports of Node's modules are copies, which this refreshes. */
export function syncExports(): void {
  const sync: unknown = Reflect.get(builtin("module") ?? {}, "syncBuiltinESMExports");
  if (typeof sync === "function") Reflect.apply(sync, undefined, []);
}

function close(
  { members, name, target }: Exit,
  onEscape: (error: EscapeError) => void,
): () => void {
  const before = new Map<string, PropertyDescriptor>();
  for (const member of members) {
    const descriptor = Object.getOwnPropertyDescriptor(target, member);
    if (descriptor?.configurable !== true || !("value" in descriptor || descriptor.get)) continue;
    before.set(member, descriptor);
    const original: unknown = Reflect.get(target, member);
    if (typeof original !== "function") continue;
    const escape = function (this: unknown, ...args: unknown[]): unknown {
      const error = new EscapeError(name.replace("*", member));
      // A module that the program imports late is read from a file, and from no other place.
      if (isLoading || isFromLoader(error)) {
        return callForLoader(() => Reflect.apply(original, this, args));
      }
      onEscape(error);
      throw error;
    };
    Reflect.defineProperty(target, member, { ...shapeOf(descriptor), value: escape });
  }
  return () => {
    for (const [member, descriptor] of before) Reflect.defineProperty(target, member, descriptor);
  };
}

/** Whether the loader of modules has called a function, which may call others. */
let isLoading = false;

function callForLoader(work: () => unknown): unknown {
  const before = isLoading;
  isLoading = true;
  try {
    return work();
  } finally {
    isLoading = before;
  }
}

function shapeOf({ enumerable = false }: PropertyDescriptor): PropertyDescriptor {
  return { enumerable, configurable: true, writable: true };
}

/** Whether the loader of modules is the caller, and not the module that it runs. */
function isFromLoader({ stack = "" }: Error): boolean {
  const [, caller = ""] = stack.split("\n").filter((line) => /^\s+at /.test(line));
  return caller.includes("node:internal/modules/");
}

function prototypeOf(object: object): object {
  const prototype: unknown = Object.getPrototypeOf(object);
  return isObject(prototype) ? prototype : object;
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

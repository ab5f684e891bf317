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

/** Functions of Node's modules. Files are in addition: all functions of `fs` and `fs/promises`. */
const nodeMembers: Readonly<Record<string, readonly string[]>> = {
  child_process: ["exec", "execFile", "execFileSync", "execSync", "fork", "spawn", "spawnSync"],
  cluster: ["fork"],
  dgram: ["createSocket"],
  dns: ["lookup", "lookupService", "resolve", "resolve4", "resolve6", "reverse"],
  http: ["get", "request"],
  http2: ["connect"],
  https: ["get", "request"],
  net: ["connect", "createConnection"],
  tls: ["connect"],
  worker_threads: ["Worker"],
};

/** Functions of the namespaces `Deno` and `Bun`. */
const runtimeMembers: Readonly<Record<string, readonly string[]>> = {
  Bun: ["connect", "file", "listen", "serve", "spawn", "spawnSync", "udpSocket", "write"],
  Deno: [
    "Command",
    "connect",
    "connectTls",
    "create",
    "listen",
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
  const modules = Object.entries(nodeMembers).flatMap(([name, members]): readonly Exit[] => {
    const target = builtin(name);
    return target === undefined ? [] : [{ name: `${name}.*`, target, members }];
  });
  // Clients of Node keep their own names of these functions: all of them come through here.
  const socket: unknown = Reflect.get(builtin("net") ?? {}, "Socket");
  const server: unknown = Reflect.get(builtin("net") ?? {}, "Server");
  const classes = [
    { name: "net.Socket.*", of: socket, members: ["connect"] },
    { name: "net.Server.*", of: server, members: ["listen"] },
  ].flatMap(({ members, name, of }): readonly Exit[] => {
    const target: unknown = typeof of === "function" ? Reflect.get(of, "prototype") : undefined;
    return isObject(target) ? [{ name, target, members }] : [];
  });
  const files = ["fs", "fs/promises"].flatMap((name): readonly Exit[] => {
    const target = builtin(name);
    if (target === undefined) return [];
    const members = Object.keys(target).filter(
      (member) => /^[a-z]/.test(member) && typeof Reflect.get(target, member) === "function",
    );
    return [{ name: `${name}.*`, target, members }];
  });
  return [...modules, ...classes, ...files];
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
    const escape = function (this: unknown, ...args: unknown[]): unknown {
      const error = new EscapeError(name.replace("*", member));
      // A module that the program imports late is read from a file, and from no other place.
      if (isFromLoader(error) && typeof original === "function") {
        return Reflect.apply(original, this, args);
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

function shapeOf({ enumerable = false }: PropertyDescriptor): PropertyDescriptor {
  return { enumerable, configurable: true, writable: true };
}

function isFromLoader({ stack = "" }: Error): boolean {
  return stack.includes("node:internal/modules/");
}

function prototypeOf(object: object): object {
  const prototype: unknown = Object.getPrototypeOf(object);
  return isObject(prototype) ? prototype : object;
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

import { recordOf, stringOf } from "./json.ts";

/**
 * Throws on a runtime that is too old. `Promise.withResolvers` marks the supported ones: Node 22,
 * Chrome 119, Firefox 121 and Safari 17.4 have it (compatibility data of MDN). Node needs 22.9,
 * whose TLS accepts any certificate as an authority, as Go's does (`allowPartialTrustChain`).
 */
export function checkRuntime(): void {
  if (!("withResolvers" in Promise)) throw tooOld("a runtime without Promise.withResolvers");
  const { versions } = recordOf(Reflect.get(globalThis, "process"));
  const { bun, deno, node } = recordOf(versions);
  // Deno and Bun also name the version of Node that they imitate.
  if (deno !== undefined || bun !== undefined) return;
  const [major = 0, minor = 0] = stringOf(node).split(".").map(Number);
  if (major === 22 && minor < 9) throw tooOld(`Node ${stringOf(node)}`);
}

function tooOld(found: string): Error {
  return new Error(
    "Cannot load listwatch: expected Node 22.9, Deno 2, Bun 1.2, a browser of 2024, or newer, " +
      `got ${found}`,
  );
}

declare const process: { readonly env: { readonly NODE_ENV?: string } };
declare const Deno: {
  readonly permissions: { querySync(query: object): { readonly state: string } };
};

/**
 * Whether `NODE_ENV` is `development` or `test`, as test runners and development servers set it.
 * Bundlers replace the expression by its value. Deno is not asked for the permission to read it.
 */
export function isDevelopment(): boolean {
  try {
    if (mustAskDeno()) return false;
    return ["development", "test"].includes(process.env.NODE_ENV ?? "");
  } catch {
    // A page without a bundler has no `process`.
    return false;
  }
}

function mustAskDeno(): boolean {
  if (typeof Deno === "undefined") return false;
  return Deno.permissions.querySync({ name: "env", variable: "NODE_ENV" }).state !== "granted";
}

/**
 * Adds the symbols of `using` to `Symbol` where they are missing, as in Safari 26.0. Compilers of
 * `using` look for these. Call it in a module before a class that uses them.
 */
export function provideDispose(): void {
  provide("dispose");
  provide("asyncDispose");
}

function provide(name: "asyncDispose" | "dispose"): void {
  if (name in Symbol) return;
  // Does nothing if `Symbol` is frozen.
  Reflect.defineProperty(Symbol, name, { value: Symbol.for(`Symbol.${name}`) });
}

/** Marked work in progress, of the whole process. */
const underWay = new Set<Promise<unknown>>();

/**
 * Marks work that takes real time and uses no clock, such as importing a module or a signature of
 * WebCrypto. A simulated clock stands still until it has ended. Without the mark, minutes of
 * simulated time could pass on a busy machine before a module is loaded.
 *
 * The work must end without a timer of a simulated clock. The caller handles its failure.
 *
 * @returns the given promise
 */
export function inRealTime<T>(work: Promise<T>): Promise<T> {
  underWay.add(work);
  const end = (): void => void underWay.delete(work);
  work.then(end, end);
  return work;
}

/** Whether marked work is in progress. */
export function isRealWorkUnderWay(): boolean {
  return underWay.size > 0;
}

/** Resolves when the marked work that is in progress has ended, successfully or not. */
export async function realWorkEnded(): Promise<void> {
  await Promise.allSettled(underWay);
}

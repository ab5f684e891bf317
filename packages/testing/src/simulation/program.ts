import { inRealTime, recordOf } from "@listwatch/core-fifo/base";
import type { Life, Scenario } from "./scenario.ts";

/** The program of a scenario, ready to be started. */
export interface Program {
  readonly start: (life: Life) => Promise<unknown>;
  /** Ends the isolation of modules. */
  readonly close: () => void;
}

/** Word in the address of a module that belongs to one life. */
const lifeQuery = "simulated-life";

let lives = 0;

/**
 * Loads the program of a scenario.
 *
 * @param isIsolated whether each life gets new modules
 * @throws {TypeError} for isolation of a function, and on a runtime that cannot isolate modules
 */
export async function openProgram({ start }: Scenario, isIsolated: boolean): Promise<Program> {
  if (typeof start === "function") {
    if (!isIsolated) return { start, close: () => undefined };
    throw new TypeError("Cannot isolate a function: expected the URL of a module as start");
  }
  const { href } = start;
  // Also loads the packages that it imports, before the first run.
  const first = await load(href);
  if (!isIsolated) return { start: first, close: () => undefined };
  const close = isolateModules();
  return {
    close,
    start: async (life) => {
      const fresh = await inRealTime(load(`${href}?${lifeQuery}=${++lives}`));
      return fresh(life);
    },
  };
}

async function load(href: string): Promise<(life: Life) => Promise<unknown>> {
  const module: unknown = await import(/* @vite-ignore */ href);
  const { default: fallback, start = fallback } = recordOf(module);
  if (typeof start !== "function") {
    throw new TypeError(`Cannot simulate ${href}: expected a function "start" or a default export`);
  }
  return (life) => Promise.resolve(Reflect.apply(start, undefined, [life]));
}

interface Resolved {
  readonly url: string;
}

/** Gives the modules that a life imports by path the life of the importing module. */
function isolateModules(): () => void {
  const find: unknown = recordOf(Reflect.get(globalThis, "process"))["getBuiltinModule"];
  const module: unknown = typeof find === "function" ? find("node:module") : undefined;
  const register: unknown = Reflect.get(Object(module), "registerHooks");
  if (typeof register !== "function") {
    throw new TypeError("Cannot isolate modules on this runtime: expected Node 22.15 or later");
  }
  const resolve = (
    specifier: string,
    context: { readonly parentURL?: string },
    next: (specifier: string, context: object) => Resolved,
  ): Resolved => {
    const resolved = next(specifier, context);
    const life = new RegExp(`[?&](${lifeQuery}=\\d+)`).exec(context.parentURL ?? "")?.[1];
    const isOwn = /^(?:\.{0,2}\/|file:)/.test(specifier);
    if (life === undefined || !isOwn || !resolved.url.startsWith("file:")) return resolved;
    return { ...resolved, url: `${resolved.url}${resolved.url.includes("?") ? "&" : "?"}${life}` };
  };
  const hooks: unknown = Reflect.apply(register, module, [{ resolve }]);
  return () => {
    const deregister: unknown = Reflect.get(Object(hooks), "deregister");
    if (typeof deregister === "function") Reflect.apply(deregister, hooks, []);
  };
}

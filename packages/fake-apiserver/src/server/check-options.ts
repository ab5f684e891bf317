import { isRecord } from "@listwatch/core-fifo/base";
import type { FakeApiServerOptions } from "./fake-api-server.ts";

/** A server was asked for with options it does not know. */
export class InvalidOptionsError extends TypeError {
  override readonly name: string = "InvalidOptionsError";
  readonly code = "LW_INVALID_OPTIONS" as const;
  /** The name of the option. */
  readonly option: string;

  constructor(option: string, expected: string, value: unknown) {
    const got = typeof value === "number" ? String(value) : (JSON.stringify(value) ?? typeof value);
    super(`A FakeApiServer was asked for: expected ${expected} in ${option}, got ${got}`);
    this.option = option;
  }
}

const choices = {
  namespaces: ["strict", "permissive"],
  namespaceDeletion: ["instant", "controller", "never"],
  podDeletion: ["instant", "kubelet", "never"],
} as const;

/** @throws {@link InvalidOptionsError} for the first option that cannot be used */
export function checkOptions(options: FakeApiServerOptions): void {
  for (const [option, texts] of Object.entries(choices)) {
    const value: unknown = Reflect.get(options, option);
    const known: readonly unknown[] = texts;
    const expected = texts.map((text) => JSON.stringify(text)).join(" or ");
    demandOption(value === undefined || known.includes(value), option, expected, value);
  }
  const { bookmarkIntervalMs = 1, watchBufferEvents = 1, seed = 0 } = options;
  const isInterval = Number.isFinite(bookmarkIntervalMs) && bookmarkIntervalMs > 0;
  demandOption(isInterval, "bookmarkIntervalMs", "milliseconds above 0", bookmarkIntervalMs);
  const isSize = Number.isSafeInteger(watchBufferEvents) && watchBufferEvents > 0;
  demandOption(isSize, "watchBufferEvents", "an integer from 1", watchBufferEvents);
  const isSeed = typeof seed === "string" || Number.isFinite(seed);
  demandOption(isSeed, "seed", "a text or a finite number", seed);
}

/** @throws {@link InvalidOptionsError} for what is not an object at all */
export function checkSeeds(option: "crds" | "objects", objects: Iterable<unknown>): void {
  let index = 0;
  for (const object of objects) {
    demandOption(isRecord(object), `${option}[${index}]`, "a Kubernetes object", object);
    index++;
  }
}

function demandOption(isFine: boolean, option: string, expected: string, value: unknown): void {
  if (!isFine) throw new InvalidOptionsError(option, expected, value);
}

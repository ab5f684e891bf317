import type { Scanner } from "./scanner.ts";
import { ScriptScanner } from "./script-scanner.ts";
import type { Structure } from "./structure.ts";
import { TextStructure } from "./text-structure.ts";
import { createWasmScanner } from "./wasm-scanner.ts";

let scanner: Scanner | undefined;

/** Creates an empty structure with records down to a depth. Uses WebAssembly where possible. */
export function createStructure(limit: number): Structure {
  scanner ??= createWasmScanner() ?? new ScriptScanner();
  return new TextStructure(scanner, limit);
}

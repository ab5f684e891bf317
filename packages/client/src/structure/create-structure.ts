import { ScriptStructure } from "./script-structure.ts";
import type { Structure } from "./structure.ts";
import { compileScanner, WasmStructure } from "./wasm-structure.ts";

let module: WebAssembly.Module | undefined;
let isCompiled = false;

/**
 * Makes an empty structure with records down to a depth, found by WebAssembly where that is
 * possible.
 */
export function createStructure(limit: number): Structure {
  if (!isCompiled) {
    module = compileScanner();
    isCompiled = true;
  }
  return module === undefined ? new ScriptStructure(limit) : new WasmStructure(module, limit);
}

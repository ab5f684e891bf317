import { ScriptStructure } from "./script-structure.ts";
import type { Structure } from "./structure.ts";
import { compileScanner, ScannerPool } from "./wasm-scanner.ts";
import { WasmStructure } from "./wasm-structure.ts";

let pool: ScannerPool | undefined;
let isCompiled = false;

/**
 * Makes an empty structure with records down to a depth, found by WebAssembly where that is
 * possible.
 */
export function createStructure(limit: number): Structure {
  if (!isCompiled) {
    const module = compileScanner();
    if (module !== undefined) pool = new ScannerPool(module);
    isCompiled = true;
  }
  return pool === undefined ? new ScriptStructure(limit) : new WasmStructure(pool, limit);
}

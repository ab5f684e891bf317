import { scanModule } from "./scan-module.ts";

/** What the module exports; see scan.wat. */
export interface Scanner {
  readonly memory: WebAssembly.Memory;
  readonly reached: WebAssembly.Global;
  readonly depth: WebAssembly.Global;
  readonly string: WebAssembly.Global;
  readonly escape: WebAssembly.Global;
  scan(from: number, end: number, out: number, room: number, limit: number): number;
  find(from: number, end: number, byte: number): number;
}

/** Scanners that are kept for the next text: few lists arrive at the same time. */
const keptScanners = 4;
/** Bytes of memory above which a scanner is not kept, so that all of them have 2 MB at most. */
const keptBytes = 512 * 1024;

/**
 * The module; compiled once.
 *
 * @returns `undefined` where WebAssembly or its SIMD is missing, or forbidden by a policy for the
 *   contents of a page
 */
export function compileScanner(): WebAssembly.Module | undefined {
  try {
    const bytes = Uint8Array.from(atob(scanModule), (letter) => letter.charCodeAt(0));
    return new WebAssembly.Module(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Scanners, each with a memory of its own. To make one takes 0.1 ms on Node and 0.2 to 0.5 ms on
 * Bun, as long as to read a small list: those that are given back are used again.
 */
export class ScannerPool {
  readonly #module: WebAssembly.Module;
  readonly #kept: Scanner[] = [];

  constructor(module: WebAssembly.Module) {
    this.#module = module;
  }

  /** A scanner before a text. Its memory holds anything. */
  take(): Scanner {
    // The exports are those of scan.wat.
    return (
      this.#kept.pop() ??
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      (new WebAssembly.Instance(this.#module).exports as unknown as Scanner)
    );
  }

  /** Takes back a scanner, which its user must not touch again. */
  give(scanner: Scanner): void {
    const { buffer } = scanner.memory;
    if (this.#kept.length === keptScanners || buffer.byteLength > keptBytes) return;
    scanner.depth.value = 0;
    scanner.string.value = 0n;
    scanner.escape.value = 0n;
    this.#kept.push(scanner);
  }
}

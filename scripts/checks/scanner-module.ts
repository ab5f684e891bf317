import loadAssembler from "wabt";

/** The source of a module that exports the bytes of a WebAssembly text, as base64. */
export async function scannerModule(text: string): Promise<string> {
  const assembler = await loadAssembler();
  const parsed = assembler.parseWat("scan.wat", text, { simd: true });
  try {
    parsed.validate();
    const { buffer } = parsed.toBinary({});
    const base64 = Buffer.from(buffer).toString("base64");
    // Lines of code are at most 100 columns wide.
    const lines = base64.match(/.{1,92}/g) ?? [];
    return [
      "// Made of scan.wat by npm run gen -- wasm; do not edit.",
      "",
      `/** The ${buffer.length} bytes of the scanner's WebAssembly module, as base64. */`,
      "export const scanModule: string =",
      `${lines.map((line) => `  "${line}"`).join(" +\n")};`,
      "",
    ].join("\n");
  } finally {
    parsed.destroy();
  }
}

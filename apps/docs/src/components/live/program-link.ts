/** A program in the fragment of an address, for one example of a page. */
export interface LinkedProgram {
  readonly example: string;
  readonly code: string;
}

const start = "#program=";
/** A longer program is refused: a short link can be unpacked to any length. */
const maxBytes = 200_000;

/** Returns the fragment for a program: its example's name, and its code, packed. */
export async function programFragment({ code, example }: LinkedProgram): Promise<string> {
  const bytes = new TextEncoder().encode(code);
  const packed = await convert(bytes, new CompressionStream("deflate-raw"));
  const base64 = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
  const text = base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return `${start}${encodeURIComponent(example)}:${text}`;
}

/** The name of the example that a fragment has a program for. */
export function exampleOf(fragment: string): string {
  const [name = ""] = fragment.slice(start.length).split(":");
  try {
    return decodeURIComponent(name);
  } catch {
    return "";
  }
}

/** @throws if the fragment is damaged or its program too long */
export async function readProgram(fragment: string): Promise<string> {
  const [, text = ""] = fragment.slice(start.length).split(":");
  const base64 = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const packed = Uint8Array.from(base64, (character) => character.charCodeAt(0));
  const bytes = await convert(packed, new DecompressionStream("deflate-raw"));
  if (bytes.length === 0) throw new RangeError("Expected a program, got none");
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

async function convert(
  bytes: Uint8Array<ArrayBuffer>,
  stream: GenericTransformStream,
): Promise<Uint8Array> {
  const source = new Response(bytes).body as ReadableStream<Uint8Array>;
  const reader = source.pipeThrough<Uint8Array>(stream).getReader();
  const all: number[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Uint8Array.from(all);
    if (all.length + value.length > maxBytes) {
      throw new RangeError(`Expected at most ${maxBytes} bytes of a program, got more`);
    }
    for (const byte of value) all.push(byte);
  }
}

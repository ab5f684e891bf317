import { joinBytes } from "../base/bytes.ts";

// k8s.io/apiserver responsewriters: `defaultGzipThresholdBytes`.
const gzipThreshold = 131_072;

/** Compresses a large answer if the client takes gzip. */
export function compress(request: Request, response: Response, size: number): Response {
  if (size < gzipThreshold || response.body === null || !takesGzip(request)) return response;
  return compressed(response, response.body.pipeThrough(new CompressionStream("gzip")));
}

/**
 * Wraps a watch with initial events if the client takes gzip: each piece that is written is a gzip
 * member, as with 1.37 (`WatchListCompression`).
 */
export function compressFlushes(request: Request, response: Response): Response {
  if (response.body === null || !takesGzip(request)) return response;
  const members = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => controller.enqueue(createMember(chunk)),
  });
  return compressed(response, response.body.pipeThrough(members));
}

// RFC 1951 §3.2.4: blocks that are stored as they are. `flush` and `end` are empty ones, and `end`
// is the last one of its member.
const flush = [0, 0, 0, 0xff, 0xff];
const end = [1, 0, 0, 0xff, 0xff];
const maxBlockBytes = 65_535;

/**
 * Creates a gzip member (RFC 1952), whose content is stored and not compressed: `CompressionStream`
 * cannot flush. Between the content and the end is an empty block, as Go's `Flush` and `Close`
 * write it: a reader such as Go's shows the content there, and waits for another member after the
 * end.
 */
function createMember(content: Uint8Array): Uint8Array {
  const blocks: Uint8Array[] = [];
  for (let start = 0; start < content.length; start += maxBlockBytes) {
    const block = content.subarray(start, start + maxBlockBytes);
    const [low, high] = [block.length & 0xff, block.length >> 8];
    blocks.push(Uint8Array.of(0, low, high, low ^ 0xff, high ^ 0xff), block);
  }
  const trailer = new DataView(new ArrayBuffer(8));
  trailer.setUint32(0, crc32(content), true);
  trailer.setUint32(4, content.length, true);
  const parts = [
    Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 0xff),
    ...blocks,
    Uint8Array.of(...flush, ...end),
    new Uint8Array(trailer.buffer),
  ];
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  return joinBytes(parts, size);
}

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb8_8320 : 0);
  return value;
});

/** Returns the check value of RFC 1952 §8. */
function crc32(bytes: Uint8Array): number {
  let value = 0xffff_ffff;
  for (const byte of bytes) value = (value >>> 8) ^ (crcTable[(value ^ byte) & 0xff] ?? 0);
  return ~value >>> 0;
}

function takesGzip({ headers }: Request): boolean {
  return /(?:^|[\s,])gzip(?:$|[\s,;])/.test(headers.get("accept-encoding") ?? "");
}

function compressed({ headers, status }: Response, body: ReadableStream<Uint8Array>): Response {
  const changed = new Headers(headers);
  changed.set("content-encoding", "gzip");
  changed.append("vary", "Accept-Encoding");
  return new Response(body, { status, headers: changed });
}

// k8s.io/apiserver responsewriters: `defaultGzipThresholdBytes`.
const gzipThreshold = 131_072;

/** Compresses a large answer if the client takes gzip. */
export function compress(request: Request, response: Response, size: number): Response {
  if (size < gzipThreshold || response.body === null || !takesGzip(request)) return response;
  return compressed(response, response.body.pipeThrough(new CompressionStream("gzip")));
}

/**
 * Compresses a watch with initial events if the client takes gzip: each piece that is written is a
 * gzip member, as 1.37 does (`WatchListCompression`).
 */
export function compressFlushes(request: Request, response: Response): Response {
  if (response.body === null || !takesGzip(request)) return response;
  const members = new TransformStream<Uint8Array, Uint8Array>({
    async transform(chunk, controller) {
      const member = new Response(
        new Response(chunk.slice()).body?.pipeThrough(new CompressionStream("gzip")),
      );
      controller.enqueue(new Uint8Array(await member.arrayBuffer()));
    },
  });
  return compressed(response, response.body.pipeThrough(members));
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

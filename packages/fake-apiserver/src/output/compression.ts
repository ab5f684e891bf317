// k8s.io/apiserver responsewriters: `defaultGzipThresholdBytes`.
const gzipThreshold = 131_072;

/** Compresses a large answer if the client takes gzip. */
export function compress(request: Request, response: Response, size: number): Response {
  if (size < gzipThreshold || response.body === null) return response;
  if (!/(?:^|[\s,])gzip(?:$|[\s,;])/.test(request.headers.get("accept-encoding") ?? "")) {
    return response;
  }
  const headers = new Headers(response.headers);
  headers.set("content-encoding", "gzip");
  headers.append("vary", "Accept-Encoding");
  const compressed = response.body.pipeThrough(new CompressionStream("gzip"));
  return new Response(compressed, { status: response.status, headers });
}

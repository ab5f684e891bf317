import { isRecord } from "@listwatch/core-fifo/base";

// Responses of an API server in which one member has a wrong type.

/** One value of each JSON type, and some near the expected ones. */
export const wrongValues: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e300,
  "",
  "x",
  "5",
  [],
  [null],
  [{}],
  {},
  { a: 1 },
];

/** Members from the root of a document to a value. */
export type JsonPath = readonly (string | number)[];

/** Returns the paths of all values in a document, including the document itself. */
export function pathsOf(document: unknown, above: JsonPath = []): JsonPath[] {
  if (Array.isArray(document)) {
    return [above, ...document.flatMap((item, index) => pathsOf(item, [...above, index]))];
  }
  if (!isRecord(document)) return [above];
  return [
    above,
    ...Object.entries(document).flatMap(([name, value]) => pathsOf(value, [...above, name])),
  ];
}

/** Replaces the value at a path; removes the member for `undefined`. */
export function withValue(document: unknown, path: JsonPath, value: unknown): unknown {
  const [member, ...rest] = path;
  if (member === undefined) return value;
  if (Array.isArray(document)) {
    return document.map((item: unknown, index) =>
      index === member ? withValue(item, rest, value) : item,
    );
  }
  if (!isRecord(document)) return document;
  return { ...document, [member]: withValue(document[member], rest, value) };
}

/** Whether a value has the type of the model, so that it is not mistyped. */
export function hasTypeOf(value: unknown, model: unknown): boolean {
  return typeof value === typeof model && Array.isArray(value) === Array.isArray(model);
}

/** Part of a response: a whole body, or a line of a watch. */
export type DocumentKind = "body" | "event";

/** Wraps a `fetch` and passes each document in its responses through a function. */
export function mistypingFetch(
  fetch: (request: Request) => Promise<Response>,
  change: (kind: DocumentKind, document: unknown, request: Request) => unknown,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const response = await fetch(request);
    const { status, body } = response;
    const headers = new Headers(response.headers);
    headers.delete("content-length");
    if (response.ok && new URL(request.url).searchParams.has("watch") && body !== null) {
      const lines = body.pipeThrough(changedLines((line) => change("event", line, request)));
      return new Response(lines, { status, headers });
    }
    const text = await response.text();
    const changed = change("body", JSON.parse(text), request);
    return new Response(JSON.stringify(changed), { status, headers });
  };
}

function changedLines(change: (line: unknown) => unknown): TransformStream<Uint8Array, Uint8Array> {
  const utf8 = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = "";
  return new TransformStream({
    transform(chunk, controller) {
      const lines = (rest + utf8.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const text = JSON.stringify(change(JSON.parse(line)));
        controller.enqueue(encoder.encode(`${text}\n`));
      }
    },
  });
}

interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: {
    readonly uid: string;
    readonly object: { readonly data?: Readonly<Record<string, string>> } | null;
  };
}

/** The answer of a handler; undefined for a connection that is closed without one. */
export type HandlerAnswer = { readonly status: number; readonly body: string } | "close" | "never";

/**
 * Answers calls of webhooks by their paths: `append/x` appends a letter to `data.log`, `deny/…`
 * refuses, other names return what their name says.
 */
export function handle(path: string, body: string): HandlerAnswer {
  const review = JSON.parse(body) as Review;
  const { apiVersion, kind, request } = review;
  const [, name = "", argument = ""] = path.split("/");
  const { uid } = request;
  const answer = (response: object): HandlerAnswer => ({
    status: 200,
    body: JSON.stringify({ apiVersion, kind, response: { uid, allowed: true, ...response } }),
  });
  const patched = (patch: readonly object[], patchType: string | undefined = "JSONPatch") =>
    answer({ patch: btoa(JSON.stringify(patch)), patchType });
  switch (name) {
    case "append":
      return patched(appended(request.object?.data, argument));
    case "label":
      return patched([{ op: "add", path: "/metadata/labels", value: { [argument]: "yes" } }]);
    case "deny":
      return answer(denials[argument] ?? { allowed: false });
    case "patch":
      return patched(oddPatches[argument] ?? []);
    case "warn":
      return answer({ warnings: ["first", "second of the handler"] });
    case "fail":
      return failures(argument, answer, patched);
    case "close":
      return "close";
    case "never":
      return "never";
    default:
      return answer({});
  }
}

/** Patches that a server may not follow, by the names of their cases. */
export const oddPatches: Readonly<Record<string, readonly object[]>> = {
  "no-metadata": [{ op: "remove", path: "/metadata" }],
  "no-name": [{ op: "remove", path: "/metadata/name" }],
  "other-name": [{ op: "replace", path: "/metadata/name", value: "other" }],
  "other-namespace": [{ op: "replace", path: "/metadata/namespace", value: "default" }],
  "no-kind": [{ op: "remove", path: "/kind" }],
  "other-kind": [{ op: "replace", path: "/kind", value: "Secret" }],
  "empty-object": [{ op: "replace", path: "", value: {} }],
  "other-uid": [{ op: "add", path: "/metadata/uid", value: "mine" }],
  deleted: [{ op: "add", path: "/metadata/deletionTimestamp", value: "2026-01-01T00:00:00Z" }],
  version: [{ op: "add", path: "/metadata/resourceVersion", value: "7" }],
  "wrong-type": [{ op: "add", path: "/data", value: "text" }],
  "wrong-item": [{ op: "add", path: "/data", value: { a: 1 } }],
  "unknown-field": [{ op: "add", path: "/unknown", value: 1 }],
  "bad-label": [{ op: "add", path: "/metadata/labels", value: { "bad key!": "v" } }],
  finalizers: [{ op: "add", path: "/metadata/finalizers", value: ["example.com/hold"] }],
  "test-passes": [
    { op: "test", path: "/data/k", value: "v" },
    { op: "replace", path: "/data/k", value: "w" },
  ],
};

const denials: Readonly<Record<string, object>> = {
  message: { allowed: false, status: { message: "not here" } },
  code: { allowed: false, status: { message: "too many", code: 429, reason: "TooManyRequests" } },
  reason: { allowed: false, status: { reason: "because" } },
};

function appended(data: Readonly<Record<string, string>> | undefined, letter: string): object[] {
  if (data === undefined) return [{ op: "add", path: "/data", value: { log: letter } }];
  return [{ op: "add", path: "/data/log", value: `${data["log"] ?? ""}${letter}` }];
}

function failures(
  argument: string,
  answer: (response: object) => HandlerAnswer,
  patched: (patch: readonly object[], patchType?: string) => HandlerAnswer,
): HandlerAnswer {
  switch (argument) {
    case "status":
      return { status: 500, body: "out of order" };
    case "json":
      return { status: 200, body: '{"apiVersion": ' };
    case "uid":
      return answer({ uid: "other" });
    case "patch":
      return patched([{ op: "remove", path: "/data/missing" }]);
    case "containers":
      return patched([{ op: "remove", path: "/spec/containers" }]);
    case "type":
      return answer({ patch: btoa("[]") });
    case "unknown":
      return patched([], "Merge");
    default:
      return answer({ response: null });
  }
}

import type { Kind } from "../reflector/informers.ts";
import type { LanguageName } from "./languages.ts";

/** How an informer gets its first list. */
export type ListForm = "list" | "streamed";

/** An informer of pods: a row of the table. */
export interface Peer {
  readonly name: string;
  readonly language: LanguageName;
  readonly contentType: "JSON" | "protobuf";
  readonly list: ListForm;
  /** What its memory comes from. */
  readonly allocator: string;
  /** Variables of its program. */
  readonly environment: Readonly<Record<string, string>>;
}

const javascript = { language: "javascript", allocator: "V8" } as const;

function ours(form: Exclude<Kind, "client-node">): Peer[] {
  const contentType = form.startsWith("protobuf") ? "protobuf" : "JSON";
  const name = `listwatch, ${form.replace("projected", "projected to three fields")}`;
  return bothLists({ ...javascript, name, contentType, environment: { FORM: form } });
}

function clientGo(contentType: "JSON" | "protobuf", mediaType: string): Peer[] {
  return bothLists({
    name: "client-go",
    language: "go",
    contentType,
    allocator: "Go",
    environment: { CONTENT_TYPE: mediaType },
  });
}

function bothLists(peer: Omit<Peer, "list">): Peer[] {
  return [
    { ...peer, list: "list" },
    { ...peer, list: "streamed" },
  ];
}

/** All informers; the first is what the others are compared with. */
export const peers: readonly Peer[] = [
  ...ours("plain"),
  ...ours("stripped"),
  ...ours("lazy"),
  ...ours("lazy stripped"),
  ...ours("projected"),
  ...ours("protobuf lazy"),
  ...ours("protobuf lazy stripped"),
  ...ours("protobuf projected"),
  {
    ...javascript,
    name: "client-node",
    contentType: "JSON",
    list: "list",
    environment: { FORM: "client-node" },
  },
  ...clientGo("JSON", "application/json"),
  ...clientGo("protobuf", "application/vnd.kubernetes.protobuf"),
  ...bothLists({
    name: "kube-rs",
    language: "rust",
    contentType: "JSON",
    allocator: "mimalloc",
    environment: {},
  }),
  {
    name: "fabric8",
    language: "java",
    contentType: "JSON",
    list: "list",
    allocator: "JVM, G1",
    environment: {},
  },
];

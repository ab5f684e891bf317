import type { Kind } from "../reflector/informers.ts";
import type { LanguageName } from "./languages.ts";

export type ListForm = "list" | "streamed";

/** An informer of pods, which is a row of the table. */
export interface Peer {
  readonly name: string;
  readonly language: LanguageName;
  readonly contentType: "JSON" | "protobuf";
  readonly list: ListForm;
  /** Its memory allocator. */
  readonly allocator: string;
  /** Environment variables of its program. */
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

/** All informers. The others are compared with the first. */
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

import type { Kind } from "../reflector/informers.ts";
import type { LanguageName } from "./languages.ts";

export type ListForm = "list" | "streamed";

/** The objects that informers cache, by the number of their kinds; 0 stands for pods. */
export const kindsOf = { pods: 0, "custom resources": 1, "60 kinds": 60 } as const;

export type Cached = keyof typeof kindsOf;

/** An informer, which is a row of the table, or one for each of many kinds. */
export interface Peer {
  readonly name: string;
  readonly language: LanguageName;
  readonly contentType: "JSON" | "protobuf";
  readonly list: ListForm;
  readonly cached: Cached;
  /** Its memory allocator. */
  readonly allocator: string;
  /** Environment variables of its program. */
  readonly environment: Readonly<Record<string, string>>;
}

const javascript = { language: "javascript", allocator: "V8" } as const;

/** Names of our forms, for JSON and protobuf alike. */
const names: Readonly<Partial<Record<Kind, string>>> = {
  default: "listwatch",
  stripped: "listwatch, without managedFields",
  projected: "listwatch, three fields",
  "protobuf lazy": "listwatch",
  "protobuf lazy stripped": "listwatch, without managedFields",
  "protobuf projected": "listwatch, three fields",
  whole: "listwatch, lazy: false",
  "whole stripped": "listwatch, lazy: false, without managedFields",
};

function ours(form: Exclude<Kind, "client-node">, cached: Cached = "pods"): Peer[] {
  const contentType = form.startsWith("protobuf") ? "protobuf" : "JSON";
  const name = names[form] ?? form;
  return bothLists({ ...javascript, name, cached, contentType, environment: { FORM: form } });
}

/** Ours with default objects in another runtime. */
function oursOn(language: "deno" | "bun"): Peer[] {
  const [name, allocator] =
    language === "deno" ? ["listwatch on Deno", "V8"] : ["listwatch on Bun", "JavaScriptCore"];
  const common = { name, language, allocator, cached: "pods" } as const;
  return [
    ...bothLists({ ...common, contentType: "JSON", environment: { FORM: "default" } }),
    ...bothLists({ ...common, contentType: "protobuf", environment: { FORM: "protobuf lazy" } }),
  ];
}

function clientNode(cached: Cached): Peer {
  const environment = { FORM: "client-node" };
  const name = "client-node";
  return { ...javascript, name, cached, contentType: "JSON", list: "list", environment };
}

function go(library: string, contentType: Peer["contentType"], cached: Cached): Peer[] {
  const mediaType = `application/${contentType === "JSON" ? "json" : "vnd.kubernetes.protobuf"}`;
  const environment = { LIBRARY: library, CONTENT_TYPE: mediaType };
  return bothLists({
    name: library,
    language: "go",
    cached,
    contentType,
    allocator: "Go",
    environment,
  });
}

function kubeRs(cached: Cached): Peer[] {
  const allocator = "mimalloc";
  return bothLists({
    name: "kube-rs",
    language: "rust",
    cached,
    contentType: "JSON",
    allocator,
    environment: {},
  });
}

function fabric8(cached: Cached): Peer {
  const allocator = "JVM, G1";
  const contentType = "JSON";
  return {
    name: "fabric8",
    language: "java",
    cached,
    contentType,
    list: "list",
    allocator,
    environment: {},
  };
}

function bothLists(peer: Omit<Peer, "list">): Peer[] {
  return [
    { ...peer, list: "list" },
    { ...peer, list: "streamed" },
  ];
}

/** Informers of custom resources, for which all libraries read JSON. */
function ofCustomResources(cached: Cached): Peer[] {
  return [
    ...ours("default", cached),
    ...ours("whole", cached),
    clientNode(cached),
    ...go("client-go", "JSON", cached),
    ...go("controller-runtime", "JSON", cached),
    ...kubeRs(cached),
    fabric8(cached),
  ];
}

/** All informers. Those of the same objects are compared with the first of them. */
export const peers: readonly Peer[] = [
  ...ours("default"),
  ...ours("stripped"),
  ...ours("projected"),
  ...ours("protobuf lazy"),
  ...ours("protobuf lazy stripped"),
  ...ours("protobuf projected"),
  ...ours("whole"),
  ...ours("whole stripped"),
  ...oursOn("deno"),
  ...oursOn("bun"),
  clientNode("pods"),
  ...go("client-go", "JSON", "pods"),
  ...go("client-go", "protobuf", "pods"),
  ...go("controller-runtime", "protobuf", "pods"),
  ...kubeRs("pods"),
  fabric8("pods"),
  ...ofCustomResources("custom resources"),
  ...ofCustomResources("60 kinds"),
];

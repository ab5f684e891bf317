import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  createClient,
  defineResource,
  type Client,
  type ResourceClient,
  type Resource,
} from "@listwatch/client";
import type { ClusterConnection } from "@listwatch/client/node";
import type { KubernetesObject } from "@listwatch/core-fifo";

/** What a program has to know of the cluster; the run hands it over in the environment. */
export interface ClusterInfo {
  /** The runtime that the program runs on, in the names of what it makes. */
  readonly runtime: string;
  readonly server: string;
  /** Folder with certificates and keys. */
  readonly pki: string;
  /** Folder for files of the program. */
  readonly folder: string;
  /** Who signs the tokens of service accounts. */
  readonly issuer: string;
  /** Port of what answers as a kubelet. */
  readonly kubeletPort: number;
  /** Token of the user `reader`, who may do nothing. */
  readonly token: string;
  /** How Node is run, for exec plugins. */
  readonly node: string;
}

/** The variable with a {@link ClusterInfo} as JSON. */
export const clusterVariable = "LISTWATCH_TEST_CLUSTER";

/** @throws {Error} if the program was not started by the run */
export function readClusterInfo(): ClusterInfo {
  const text = process.env[clusterVariable];
  if (text === undefined) throw new Error("Run it with npm run test:cluster");
  return JSON.parse(text) as ClusterInfo;
}

/** The text of a certificate or key. */
export function pem(info: Pick<ClusterInfo, "pki">, file: string): string {
  return readFileSync(join(info.pki, file), "utf8");
}

/** An object as these programs read it: what is in it they check as they go. */
export interface Loose extends KubernetesObject {
  readonly metadata: {
    readonly name?: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly generation?: number;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
    readonly managedFields?: readonly { readonly manager?: string }[];
  };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: any;
  readonly status?: any;
}

/** A resource in namespaces, as a handle. */
export function namespaced(group: string, version: string, resource: string, kind: string) {
  return defineResource<Loose>({ group, version, resource, kind, scope: "Namespaced" });
}

/** A resource of the cluster, as a handle. */
export function clusterScoped(group: string, version: string, resource: string, kind: string) {
  return defineResource<Loose, "Cluster">({ group, version, resource, kind, scope: "Cluster" });
}

export const configMaps: Resource<Loose> = namespaced("", "v1", "configmaps", "ConfigMap");
export const namespaces: Resource<Loose, "Cluster"> = clusterScoped(
  "",
  "v1",
  "namespaces",
  "Namespace",
);

/** What checks work with. */
export interface Scene {
  readonly info: ClusterInfo;
  readonly client: Client;
  /** A namespace of the program. */
  readonly namespace: string;
  readonly maps: ResourceClient<Loose>;
}

/** Creates a namespace for a program. */
export async function makeScene(connection: ClusterConnection, program: string): Promise<Scene> {
  const info = readClusterInfo();
  const namespace = `${program}-${info.runtime}`;
  const client = createClient(connection, { fieldManager: "cluster-test" });
  await client.resource(namespaces).create({ metadata: { name: namespace } });
  return { info, client, namespace, maps: client.resource(configMaps) };
}

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

/** Description of the cluster for a program, passed in an environment variable. */
export interface ClusterInfo {
  /** Name of the current runtime, used in the names of objects. */
  readonly runtime: string;
  readonly server: string;
  readonly pki: string;
  /** Folder for the program's files. */
  readonly folder: string;
  /** Issuer of service account tokens. */
  readonly issuer: string;
  /** Port of the fake kubelet. */
  readonly kubeletPort: number;
  /** Token of the user `reader`, who has no rights. */
  readonly token: string;
  /** Command of Node, for exec plugins. */
  readonly node: string;
}

/** Environment variable with a {@link ClusterInfo} as JSON. */
export const clusterVariable = "LISTWATCH_TEST_CLUSTER";

/** @throws {Error} if the program was not started by the runner */
export function readClusterInfo(): ClusterInfo {
  const text = process.env[clusterVariable];
  if (text === undefined) throw new Error("Run it with npm run test:cluster");
  return JSON.parse(text) as ClusterInfo;
}

export function pem(info: Pick<ClusterInfo, "pki">, file: string): string {
  return readFileSync(join(info.pki, file), "utf8");
}

/** A loosely typed object, whose members these programs check themselves. */
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

export function namespaced(group: string, version: string, resource: string, kind: string) {
  return defineResource<Loose>({ group, version, resource, kind, scope: "Namespaced" });
}

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

export interface Scene {
  readonly info: ClusterInfo;
  readonly client: Client;
  /** The program's namespace. */
  readonly namespace: string;
  readonly maps: ResourceClient<Loose>;
}

export async function makeScene(connection: ClusterConnection, program: string): Promise<Scene> {
  const info = readClusterInfo();
  const namespace = `${program}-${info.runtime}`;
  const client = createClient(connection, { fieldManager: "cluster-test" });
  await client.resource(namespaces).create({ metadata: { name: namespace } });
  return { info, client, namespace, maps: client.resource(configMaps) };
}

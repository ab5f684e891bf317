// index.ts
export * from "@listwatch/core-fifo";
export * from "@listwatch/store-indexer";
export * from "@listwatch/workqueue";
export * from "@listwatch/client";
export * from "@listwatch/reflector";
export * from "@listwatch/shared-informer";
export * from "@listwatch/controller";
export * from "@listwatch/manager";

// node.ts
export * from "@listwatch/client/node";
export { connect, type ConnectOptions } from "./connection/node-connect.ts";
export { findClusterConfig, type FindClusterConfigOptions, } from "./connection/node-find-cluster-config.ts";
export { loadKubeconfig } from "./connection/node-find-cluster-config.ts";

// connection/node-connect.ts
import { type ClusterConnection, type ClusterConnectionOptions } from "@listwatch/client/node";
import { type FindClusterConfigOptions } from "./node-find-cluster-config.ts";
export interface ConnectOptions extends FindClusterConfigOptions, ClusterConnectionOptions {
}
export declare function connect(options?: ConnectOptions): Promise<ClusterConnection>;

// connection/node-find-cluster-config.ts
import { type ClusterConfig } from "@listwatch/client";
import { type LoadKubeconfigOptions } from "@listwatch/client/node";
import { type OptionsOf } from "@listwatch/core-fifo/base";
export interface FindClusterConfigOptions {
    readonly context?: string | undefined;
    readonly paths?: readonly string[] | undefined;
    readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}
export declare const findTable: OptionsOf<FindClusterConfigOptions>;
export declare function findClusterConfig(options?: FindClusterConfigOptions): Promise<ClusterConfig>;
export declare function loadKubeconfig(options?: LoadKubeconfigOptions): Promise<ClusterConfig>;

// client-node.ts
export * from "@listwatch/client-node";

// fake-apiserver.ts
export * from "@listwatch/fake-apiserver";

// fake-apiserver/node.ts
export * from "@listwatch/fake-apiserver/node";

// fake-apiserver/deno.ts
export * from "@listwatch/fake-apiserver/deno";

// fake-apiserver/bun.ts
export * from "@listwatch/fake-apiserver/bun";

// protobuf.ts
export * from "@listwatch/client/protobuf";

// streams.ts
export * from "@listwatch/streams";

// testing.ts
export * from "@listwatch/testing";

// telemetry.ts
export * from "@listwatch/telemetry";

// telemetry/opentelemetry.ts
export * from "@listwatch/telemetry/opentelemetry";

// webhooks.ts
export * from "@listwatch/webhooks";

// webhooks/certificates.ts
export * from "@listwatch/webhooks/certificates";

// webhooks/node.ts
export * from "@listwatch/webhooks/node";

// resources/admissionregistration.k8s.io/v1.generated.ts
export * from "@listwatch/resources/admissionregistration.k8s.io/v1";

// resources/apiextensions.k8s.io/v1.generated.ts
export * from "@listwatch/resources/apiextensions.k8s.io/v1";

// resources/apiregistration.k8s.io/v1.generated.ts
export * from "@listwatch/resources/apiregistration.k8s.io/v1";

// resources/apps/v1.generated.ts
export * from "@listwatch/resources/apps/v1";

// resources/authentication.k8s.io/v1.generated.ts
export * from "@listwatch/resources/authentication.k8s.io/v1";

// resources/authorization.k8s.io/v1.generated.ts
export * from "@listwatch/resources/authorization.k8s.io/v1";

// resources/autoscaling/v1.generated.ts
export * from "@listwatch/resources/autoscaling/v1";

// resources/autoscaling/v2.generated.ts
export * from "@listwatch/resources/autoscaling/v2";

// resources/batch/v1.generated.ts
export * from "@listwatch/resources/batch/v1";

// resources/certificates.k8s.io/v1.generated.ts
export * from "@listwatch/resources/certificates.k8s.io/v1";

// resources/coordination.k8s.io/v1.generated.ts
export * from "@listwatch/resources/coordination.k8s.io/v1";

// resources/core/v1.generated.ts
export * from "@listwatch/resources/core/v1";

// resources/discovery.k8s.io/v1.generated.ts
export * from "@listwatch/resources/discovery.k8s.io/v1";

// resources/events.k8s.io/v1.generated.ts
export * from "@listwatch/resources/events.k8s.io/v1";

// resources/flowcontrol.apiserver.k8s.io/v1.generated.ts
export * from "@listwatch/resources/flowcontrol.apiserver.k8s.io/v1";

// resources/meta/v1.generated.ts
export * from "@listwatch/resources/meta/v1";

// resources/networking.k8s.io/v1.generated.ts
export * from "@listwatch/resources/networking.k8s.io/v1";

// resources/node.k8s.io/v1.generated.ts
export * from "@listwatch/resources/node.k8s.io/v1";

// resources/policy/v1.generated.ts
export * from "@listwatch/resources/policy/v1";

// resources/rbac.authorization.k8s.io/v1.generated.ts
export * from "@listwatch/resources/rbac.authorization.k8s.io/v1";

// resources/resource.k8s.io/v1.generated.ts
export * from "@listwatch/resources/resource.k8s.io/v1";

// resources/scheduling.k8s.io/v1.generated.ts
export * from "@listwatch/resources/scheduling.k8s.io/v1";

// resources/storage.k8s.io/v1.generated.ts
export * from "@listwatch/resources/storage.k8s.io/v1";

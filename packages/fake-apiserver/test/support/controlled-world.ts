import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { FakeApiServer, type FakeApiServerOptions } from "@listwatch/fake-apiserver";
import { ApiClient, type Json } from "./api-client.ts";
import { template } from "./valid-specs.ts";

/** A server with simulated controllers on a simulated clock. */
export class ControlledWorld {
  readonly clock = new SimulatedClock({ startMs: Date.UTC(2026, 0, 2, 3, 4, 5) });
  readonly server: FakeApiServer;
  readonly client: ApiClient;

  constructor(options: FakeApiServerOptions = {}) {
    const defaults = { clock: this.clock, seed: 1, controllers: true };
    this.server = new FakeApiServer({ ...defaults, ...options });
    this.client = new ApiClient(this.server);
  }

  /** Sends a request, and waits until the controllers are idle. */
  async send(method: string, path: string, body?: object): Promise<Json> {
    const answer = this.client.call(method, path, body);
    await this.clock.settle();
    const { body: answered, status } = await answer;
    if (status >= 400) throw new Error(`${method} ${path}: ${answered["message"]}`);
    return answered;
  }

  create(resource: string, name: string, spec: object, metadata: object = {}): Promise<Json> {
    return this.send("POST", pathOf(resource), { metadata: { name, ...metadata }, spec });
  }

  patch(resource: string, name: string, patch: object): Promise<Json> {
    return this.send("PATCH", `${pathOf(resource)}/${name}`, patch);
  }

  delete(resource: string, name: string): Promise<Json> {
    return this.send("DELETE", `${pathOf(resource)}/${name}`);
  }

  get(resource: string, name: string): Promise<Json> {
    return this.send("GET", `${pathOf(resource)}/${name}`);
  }

  async list(resource: string): Promise<readonly Json[]> {
    return (await this.send("GET", pathOf(resource)))["items"];
  }

  async names(resource: string): Promise<readonly string[]> {
    return (await this.list(resource)).map(({ metadata }) => metadata.name);
  }

  /** Returns the reasons of an object's conditions by type, such as `Available=True …`. */
  async conditions(resource: string, name: string): Promise<Json> {
    const { status } = await this.get(resource, name);
    const conditions: readonly Json[] = status?.conditions ?? [];
    return Object.fromEntries(
      conditions.map((one) => [one["type"], `${one["status"]} ${one["reason"]}`]),
    );
  }
}

const groups: Readonly<Record<string, string>> = {
  deployments: "apis/apps/v1",
  replicasets: "apis/apps/v1",
  statefulsets: "apis/apps/v1",
  daemonsets: "apis/apps/v1",
  controllerrevisions: "apis/apps/v1",
  jobs: "apis/batch/v1",
  cronjobs: "apis/batch/v1",
  endpointslices: "apis/discovery.k8s.io/v1",
};

function pathOf(resource: string): string {
  const root = groups[resource] ?? "api/v1";
  const isCluster = resource === "nodes" || resource === "namespaces";
  return isCluster ? `/${root}/${resource}` : `/${root}/namespaces/default/${resource}`;
}

/** A spec of a Deployment, ReplicaSet, StatefulSet or DaemonSet whose containers have an image. */
export function workloadWith(image: string, spec: object = {}): object {
  const containers = [{ name: "app", image }];
  return { selector: { matchLabels: { app: "web" } }, template: template({ containers }), ...spec };
}

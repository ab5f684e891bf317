// Samples in the styles of well-known projects, as drafts of generated kinds: each is one that a
// server accepts. A server refuses the lines after `@ts-expect-error` (TGEN-2, TGEN-3, TGEN-6).
import { createClient, createConnection, type Draft } from "@listwatch/client";
import type { Cached } from "@listwatch/core-fifo";
import {
  advertisements,
  caches,
  certificates,
  networkrules,
  operatorgroups,
  rollouts,
  routes,
  tasks,
  templates,
  type Advertisement,
  type Cache,
  type Certificate,
  type NetworkRule,
  type OperatorGroup,
  type Rollout,
  type Route,
  type Task,
  type Template,
} from "./project-styles.generated.ts";

const client = createClient(createConnection({ server: "http://127.0.0.1:8001" }));
const metadata = { name: "web", namespace: "shop" };

/** A spec is required where the schema requires it, and where it has required members. */
export async function specs(): Promise<void> {
  const all: Draft<Advertisement> = { metadata };
  const some: Draft<Advertisement> = { metadata, spec: { pools: ["first"] } };
  await client.resource(advertisements).create(all);
  await client.resource(advertisements).create(some);
  const rules: Draft<NetworkRule> = { metadata, specs: [{ endpointSelector: { app: "web" } }] };
  await client.resource(networkrules).create(rules);
  await client.resource(networkrules).create({ metadata, spec: { endpointSelector: {} } });
  const content: Draft<Template> = { metadata, objects: [{ kind: "ConfigMap" }] };
  await client.resource(templates).create(content);
  const steps: Draft<Task> = { metadata, spec: { steps: [{ image: "alpine", script: "true" }] } };
  await client.resource(tasks).create(steps);
  const issuerRef = { name: "letsencrypt" };
  const certificate: Draft<Certificate> = { metadata, spec: { secretName: "tls", issuerRef } };
  await client.resource(certificates).create(certificate);
  // @ts-expect-error the issuer is required
  await client.resource(certificates).create({ metadata, spec: { secretName: "tls" } });
  // @ts-expect-error the schema requires a spec
  const rollout: Draft<Rollout> = { metadata };
  console.log(rollout);
}

/** Objects without a spec can be read. */
export async function reads(cached: Cached<NetworkRule>): Promise<void> {
  // @ts-expect-error a stored object may have no spec
  console.log(cached.spec.endpointSelector);
  console.log(cached.spec?.endpointSelector, cached.specs?.length);
  const rollout = await client.resource(rollouts).get("shop/web");
  console.log(rollout.spec.replicas, rollout.status?.conditions?.[0]?.status === "True");
}

/** A spec with a default may be missing in drafts, and is there when it is read. */
export async function defaults(): Promise<void> {
  const group: Draft<OperatorGroup> = { metadata: { name: "all" } };
  const strategy = (await client.resource(operatorgroups).create(group)).spec.upgradeStrategy;
  const cache: Draft<Cache> = { metadata };
  const size: number = (await client.resource(caches).create(cache)).spec.size;
  await client.resource(caches).create({ metadata, spec: { size: 3 } });
  // @ts-expect-error the default is for a whole spec
  await client.resource(caches).create({ metadata, spec: {} });
  await client.resource(caches).apply({ metadata });
  console.log(strategy, size);
}

/** Keys of list elements that have a default, and other fields with one. */
export async function keys(): Promise<void> {
  const ports = [{ containerPort: 80 }, { containerPort: 53, protocol: "UDP" }];
  const containers = [{ name: "web", image: "nginx", ports }];
  const rollout: Draft<Rollout> = { metadata, spec: { template: { spec: { containers } } } };
  await client.resource(rollouts).create(rollout);
  await client.resource(rollouts).apply({ metadata, spec: { template: { spec: { containers } } } });
  await client.resource(rollouts).create({
    metadata,
    // @ts-expect-error a container has a name
    spec: { template: { spec: { containers: [{ image: "nginx" }] } } },
  });
  await client.resource(rollouts).create({
    metadata,
    // @ts-expect-error a key without a default
    spec: { template: { spec: { containers: [{ name: "web", ports: [{ protocol: "UDP" }] }] } } },
  });
  const backendRefs = [{ name: "web", port: 80 }];
  const route: Draft<Route> = {
    metadata,
    spec: { parentRefs: [{ name: "public" }], rules: [{ backendRefs }] },
  };
  await client.resource(routes).create(route);
  await client.resource(routes).create({ metadata, spec: {} });
}

import { isJsonEqual, recordOf } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { field, size, text } from "../base/read-fields.ts";
import type { Cluster, ClusterWriter } from "./cluster.ts";
import { type Change, type Controller, ownKey } from "./controller.ts";
import { controllerReference, selectorOf } from "./ownership.ts";
import { endpointGroups, endpointSubsets, type EndpointGroup } from "./service-endpoints.ts";

const slices = "endpointslices.discovery.k8s.io";
const nameLabel = "kubernetes.io/service-name";
const managerLabel = "endpointslice.kubernetes.io/managed-by";
const manager = "endpointslice-controller.k8s.io";
const headlessLabel = "service.kubernetes.io/headless";
// kube-controller-manager --max-endpoints-per-slice.
const sliceSize = 100;

/**
 * Keeps the EndpointSlices and Endpoints of services with a selector (k8s.io/kubernetes
 * pkg/controller/endpointslice and endpoint).
 */
export class EndpointSliceController implements Controller {
  readonly watches: Controller["watches"];
  readonly #cluster: Cluster;
  readonly #sliceWriter: ClusterWriter;
  readonly #endpointWriter: ClusterWriter;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#sliceWriter = cluster.controller("endpointslice-controller");
    this.#endpointWriter = cluster.controller("endpoint-controller");
    this.watches = {
      services: ownKey,
      pods: (change) => this.#ofPod(change),
      [slices]: ({ stored }) => {
        const name = stored.labels?.[nameLabel];
        const isOwn = stored.labels?.[managerLabel] === manager;
        return isOwn && name !== undefined ? [`${stored.namespace}/${name}`] : [];
      },
    };
  }

  async reconcile(key: string): Promise<void> {
    const stored = this.#cluster.get("services", key);
    if (stored === undefined || stored.isTerminating) return;
    const service = stored.object;
    const isSelecting = size(service, "spec", "selector") > 0;
    if (!isSelecting || text(service, "spec", "type") === "ExternalName") return;
    const matches = selectorOf(field(service, "spec", "selector"));
    const pods = this.#cluster
      .list("pods", stored.namespace)
      .filter(({ labels }) => matches(labels));
    const groups = endpointGroups(service, pods);
    await this.#syncSlices(service, groups);
    await this.#syncEndpoints(service, groups);
  }

  async #syncSlices(service: ApiObject, groups: readonly EndpointGroup[]): Promise<void> {
    const { name = "", namespace = "" } = service.metadata;
    const unused = this.#cluster
      .list(slices, namespace)
      .filter(({ labels }) => labels?.[nameLabel] === name && labels[managerLabel] === manager)
      .map(({ object }) => object);
    for (const { addressType, endpoints, ports } of groups) {
      for (let start = 0; start === 0 || start < endpoints.length; start += sliceSize) {
        const part = endpoints.slice(start, start + sliceSize);
        // The slice with these ports keeps them; its name tells nothing.
        const index = unused.findIndex(
          (slice) =>
            slice["addressType"] === addressType && isJsonEqual(slice["ports"] ?? [], ports),
        );
        const fallback = unused.findIndex((slice) => slice["addressType"] === addressType);
        const [existing] = unused.splice(
          index < 0 ? fallback : index,
          index < 0 && fallback < 0 ? 0 : 1,
        );
        // A controller in Go sends no empty lists.
        const content = { addressType, endpoints: orNull(part), ports: orNull(ports) };
        await this.#writeSlice(service, existing, content);
      }
    }
    for (const slice of unused) await this.#sliceWriter.remove(slices, slice);
  }

  async #writeSlice(
    service: ApiObject,
    existing: ApiObject | undefined,
    content: object,
  ): Promise<void> {
    const { labels: given, name = "", namespace } = service.metadata;
    const labels = {
      ...given,
      ...(text(service, "spec", "clusterIP") === "None" && { [headlessLabel]: "" }),
      [managerLabel]: manager,
      [nameLabel]: name,
    };
    if (existing === undefined) {
      const owner = { apiVersion: "v1", kind: "Service" };
      await this.#sliceWriter.create(slices, {
        metadata: {
          generateName: `${name}-`,
          namespace,
          labels,
          ownerReferences: [controllerReference(owner, service)],
        },
        ...content,
      });
      return;
    }
    const changed = { ...existing, metadata: { ...existing.metadata, labels }, ...content };
    if (!isJsonEqual(changed, existing)) await this.#sliceWriter.update(slices, changed);
  }

  async #syncEndpoints(service: ApiObject, groups: readonly EndpointGroup[]): Promise<void> {
    const { labels: given, name = "", namespace = "" } = service.metadata;
    const existing = this.#cluster.get("endpoints", `${namespace}/${name}`)?.object;
    const subsets = endpointSubsets(groups);
    const labels = {
      ...given,
      ...(text(service, "spec", "clusterIP") === "None" && { [headlessLabel]: "" }),
      "endpoints.kubernetes.io/managed-by": "endpoint-controller",
    };
    const wanted = { ...(subsets.length > 0 && { subsets }) };
    if (existing === undefined) {
      const metadata = { name, namespace, labels };
      await this.#endpointWriter.create("endpoints", { metadata, ...wanted });
      return;
    }
    const { subsets: _subsets, ...fields } = recordOf(existing);
    const metadata = { ...existing.metadata, labels };
    const changed = { ...fields, metadata, ...wanted };
    if (!isJsonEqual(changed, existing)) await this.#endpointWriter.update("endpoints", changed);
  }

  #ofPod({ previous, stored }: Change): Iterable<string> {
    const labels = [stored.labels, previous?.labels].filter((one) => one !== undefined);
    if (labels.length === 0) return [];
    const services = this.#cluster.list("services", stored.namespace);
    return services
      .filter(({ object }) => {
        if (size(object, "spec", "selector") === 0) return false;
        return labels.some(selectorOf(field(object, "spec", "selector")));
      })
      .map(({ key }) => key);
  }
}

function orNull<Item>(items: readonly Item[]): readonly Item[] | null {
  return items.length === 0 ? null : items;
}

import { readFileSync } from "node:fs";
import { Agent } from "node:https";
import { join } from "node:path";
import { recordOf, stringOf, type JsonObject } from "@listwatch/core-fifo/base";
import type { Manifest } from "../../../packages/fake-apiserver/src/adapters/node-manifests.ts";
import type { Binaries } from "../../cluster/binaries.ts";
import { ControlPlane } from "../../cluster/control-plane.ts";
import { type ApiConnection, call } from "../../cluster/kinds/api-connection.ts";

const user = { name: "admin", groups: ["system:masters"] };
const establishTries = 100;
const establishPauseMs = 100;

interface Place {
  readonly name: string;
  readonly namespaced: boolean;
}

/** A kube-apiserver that is asked whether it takes objects, and stores none of them. */
export class RealServer implements AsyncDisposable {
  readonly #plane: ControlPlane;
  readonly #connection: ApiConnection;
  readonly #places = new Map<string, ReadonlyMap<string, Place>>();
  readonly #present = new Set<string>();

  private constructor(plane: ControlPlane) {
    this.#plane = plane;
    const agent = new Agent({ keepAlive: true, ca: readFileSync(join(plane.pki, "ca.crt")) });
    this.#connection = { agent, server: plane.server, token: plane.tokenOf(user.name) };
  }

  static async start(binaries: Binaries): Promise<RealServer> {
    // As kubeadm starts it, and as the fake server does.
    const flags = { "allow-privileged": "true" };
    return new RealServer(await ControlPlane.start(binaries, [user], flags));
  }

  /** Creates definitions and waits until they are served. */
  async define(definitions: readonly Manifest[]): Promise<void> {
    for (const { object } of definitions) {
      const name = stringOf(recordOf(object["metadata"])["name"]);
      if (this.#present.has(name)) continue;
      this.#present.add(name);
      const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
      const { body, status } = await this.#call("POST", path, withoutServerFields(object));
      if (status !== 201) {
        console.log(`     a real server refuses ${name}: ${String(body["message"])}`);
        continue;
      }
      for (let tries = 0; tries < establishTries; tries++) {
        const found = await this.#call("GET", `${path}/${name}`);
        const conditions = recordOf(found.body["status"])["conditions"];
        const isServed = JSON.stringify(conditions ?? []).includes(
          '"reason":"InitialNamesAccepted"',
        );
        if (isServed) break;
        await new Promise((resolve) => setTimeout(resolve, establishPauseMs));
      }
      this.#places.clear();
    }
  }

  /** Returns why it refuses to create an object; `undefined` if it would, or lacks the kind. */
  async refusalOf({ apiVersion, kind, object }: Manifest): Promise<string | undefined> {
    const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const place = (await this.#placesIn(root)).get(kind);
    if (place === undefined) return undefined;
    const { namespace } = recordOf(object["metadata"]);
    const own = stringOf(namespace) || "default";
    if (place.namespaced) await this.#provideNamespace(own);
    const collection = `${root}${place.namespaced ? `/namespaces/${own}` : ""}/${place.name}`;
    const clean = withoutServerFields(object);
    // The paths of a new definition are served a moment later.
    for (let tries = 0; ; tries++) {
      const { body, status } = await this.#call("POST", `${collection}?dryRun=All`, clean);
      if (status === 201 || body["reason"] === "AlreadyExists") return undefined;
      const message = String(body["message"]);
      const isEarly = status === 429 || (status === 404 && !message.startsWith("namespaces "));
      if (!isEarly || tries > establishTries) return `${status} ${message}`;
      await new Promise((resolve) => setTimeout(resolve, establishPauseMs));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#connection.agent.destroy();
    await this.#plane[Symbol.asyncDispose]();
  }

  async #placesIn(root: string): Promise<ReadonlyMap<string, Place>> {
    const known = this.#places.get(root);
    if (known !== undefined) return known;
    const { body } = await this.#call("GET", root);
    const { resources } = body as { readonly resources?: readonly (Place & { kind: string })[] };
    const places = new Map<string, Place>();
    for (const resource of resources ?? []) {
      if (!resource.name.includes("/")) places.set(resource.kind, resource);
    }
    this.#places.set(root, places);
    return places;
  }

  async #provideNamespace(name: string): Promise<void> {
    if (this.#present.has(`namespace ${name}`)) return;
    this.#present.add(`namespace ${name}`);
    await this.#call("POST", "/api/v1/namespaces", { metadata: { name } });
  }

  #call(method: string, path: string, body?: unknown): ReturnType<typeof call> {
    return call(this.#connection, method, path, body);
  }
}

function withoutServerFields(object: JsonObject): JsonObject {
  const metadata = { ...recordOf(object["metadata"]) };
  for (const name of [
    "uid",
    "resourceVersion",
    "creationTimestamp",
    "generation",
    "managedFields",
  ]) {
    delete metadata[name];
  }
  return { ...object, metadata };
}

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createClient, type Client, type Resource } from "@listwatch/client";
import type { KubernetesObject } from "@listwatch/core-fifo";
import { recordOf } from "@listwatch/core-fifo/base";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import {
  customresourcedefinitions,
  type CustomResourceDefinition,
} from "@listwatch/resources/apiextensions.k8s.io/v1";
import { generateDefinitions } from "@listwatch/resources/generator";

/** An object of a file. */
export type AnyObject = Readonly<Record<string, unknown>>;

/** A handle that the generator wrote: the module, and the name in it. */
export interface Handle {
  readonly module: string;
  readonly name: string;
  readonly resource: Resource;
}

/** The custom resources of all projects: on a fake API server, and as generated types. */
export class CustomResources {
  readonly #folder: string;
  readonly #client: Client;
  /** Handles by apiVersion and kind. */
  readonly #handles = new Map<string, Handle>();

  /** @param folder of the generated modules */
  constructor(folder: string) {
    this.#folder = folder;
    const server = new FakeApiServer();
    this.#client = createClient(
      {
        server: "http://localhost",
        namespace: "default",
        fetch: (request) => server.fetch(request),
      },
      { retries: 0, onWarning: () => {} },
    );
  }

  /** Number of kinds in their versions. */
  get size(): number {
    return this.#handles.size;
  }

  /** Creates definitions, unless an earlier project has them, and generates their types. */
  async add(module: string, documents: readonly unknown[]): Promise<void> {
    const own = documents.filter(isDefinition);
    for (const definition of own) {
      await this.#client.resource(customresourcedefinitions).create(definition);
    }
    const file = join(this.#folder, module);
    if (own.length === 0) return;
    writeFileSync(file, generateDefinitions(own));
    const exported = (await import(pathToFileURL(file).href)) as Record<string, Resource>;
    for (const [name, resource] of Object.entries(exported)) {
      const { group, kind, version } = resource;
      this.#handles.set(`${group}/${version}/${kind}`, { module, name, resource });
    }
  }

  /** Returns the handle for an object, if it is of one of the custom resources. */
  handleFor({ apiVersion, kind }: AnyObject): Handle | undefined {
    return this.#handles.get(`${String(apiVersion)}/${String(kind)}`);
  }

  /**
   * Returns the object that a server would store.
   *
   * @throws if the server refuses the object, also for fields that it does not know
   */
  create({ resource }: Handle, object: AnyObject): Promise<KubernetesObject> {
    const { namespace: _other, ...metadata } = recordOf(object["metadata"]);
    const place = resource.scope === "Namespaced" ? { namespace: "default" } : {};
    const draft = { ...object, metadata: { ...metadata, ...place } };
    return this.#client.resource(resource).create(draft, { dryRun: true });
  }
}

function isDefinition(document: unknown): document is CustomResourceDefinition {
  const { apiVersion, kind } = recordOf(document);
  return apiVersion === "apiextensions.k8s.io/v1" && kind === "CustomResourceDefinition";
}

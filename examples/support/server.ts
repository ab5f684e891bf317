// What an API server needs that other programs use too: namespaces for the pods, and an end
// without leftovers. Two examples at a time would meet in the same namespaces.
import {
  Collection,
  createClient,
  defineResource,
  isAlreadyExists,
  isNotFound,
  isStatusError,
  type Connection,
  type ResourceClient,
} from "@listwatch/client";

interface Named {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
}

const core = { group: "", version: "v1" } as const;
const pods = defineResource<Named>({
  ...core,
  resource: "pods",
  kind: "Pod",
  scope: "Namespaced",
});
const namespaces = defineResource<Named, "Cluster">({
  ...core,
  resource: "namespaces",
  kind: "Namespace",
  scope: "Cluster",
});

const waitMs = 500;
// A namespace that is being deleted takes its time.
const attempts = 120;

let namespaceClient: ResourceClient<Named, "Cluster"> | undefined;
let labels: Readonly<Record<string, string>> = {};

/** Removes what an example left there, and sees to it that this one leaves nothing. */
export async function useServer(
  connection: Connection,
  own: Readonly<Record<string, string>>,
): Promise<void> {
  const client = createClient(connection);
  namespaceClient = client.resource(namespaces);
  labels = own;
  const labelSelector = Object.entries(own)
    .map(([key, value]) => `${key}=${value}`)
    .join(",");
  const deletePods = async () => {
    const found = await list(new Collection({ connection, resource: pods, labelSelector }));
    for (const { metadata } of found) {
      await client
        .resource(pods)
        .delete(`${metadata.namespace}/${metadata.name}`)
        .catch(ignoreGone);
    }
  };
  await deletePods();
  process.once("beforeExit", () => {
    void (async () => {
      await deletePods();
      const found = await list(new Collection({ connection, resource: namespaces, labelSelector }));
      for (const { metadata } of found) {
        await client.resource(namespaces).delete(metadata.name).catch(ignoreGone);
      }
    })();
  });
}

/** Creates an object in a namespace, which is created too if there is none. */
export async function inNamespace(name: string, create: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await namespaceClient?.create({ metadata: { name, labels } });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
    try {
      await create();
      return;
    } catch (error) {
      // Forbidden: the namespace is being deleted, or has no service account yet.
      const early = isStatusError(error) && error.httpCode === 403;
      if (!early || attempt === attempts) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

async function list(collection: Collection<Named>): Promise<readonly Named[]> {
  const { items } = await collection.list({}, { signal: new AbortController().signal });
  const found: Named[] = [];
  for await (const batch of items) found.push(...[batch].flat());
  return found;
}

function ignoreGone(error: unknown): void {
  if (!isNotFound(error)) throw error;
}

// Two replicas, of which one leads. It loses its network, and the other one takes over.
import { createManager, type FetchFunction, type Manager } from "listwatch";
import { configmaps } from "listwatch/resources/core/v1";
import { leases } from "listwatch/resources/coordination.k8s.io/v1";
import { testCluster } from "listwatch/testing";

/** The controller: it writes its name into each config map with a label. */
function addSigner(manager: Manager, identity: string) {
  manager.controller({
    for: configmaps,
    reconcile: async (_key, { client, object, signal }) => {
      if (object?.metadata.labels?.["signed"] !== "please") return;
      const { name, namespace } = object.metadata;
      const wanted = { metadata: { name, namespace }, data: { by: identity } };
      await client.resource(configmaps).apply(wanted, { force: true, signal });
    },
  });
  return manager;
}

await using cluster = await testCluster();
const { client, clock, connection, log, random } = cluster;
const server = connection.fetch;
const cutOff = new Set<string>();

function start(identity: string) {
  const fetch: FetchFunction = async (request) => {
    if (cutOff.has(identity)) throw new TypeError("no route to host");
    return server(request);
  };
  const manager = createManager(
    { ...connection, fetch },
    {
      name: "signer",
      election: { namespace: "default", identity },
      client: { fieldManager: "signer" },
      telemetry: { log },
      signals: false,
      server: false,
      clock,
      random,
    },
  );
  const ended = addSigner(manager, identity).run(cluster.signal);
  // A replica that cannot renew its lease ends with an error, and its pod would start again.
  cluster.run(identity, () =>
    ended.catch(({ name }: Error) => console.log(identity, "ended:", name)),
  );
}

const holder = (leader: string) =>
  cluster.until((state) => state.get(leases, "default/signer")?.spec?.holderIdentity === leader);
const sign = async (name: string) => {
  const metadata = { namespace: "default", name, labels: { signed: "please" } };
  await client.resource(configmaps).create({ metadata });
  const { data } = await cluster.until((state) => {
    const map = state.get(configmaps, `default/${name}`);
    return map?.data === undefined ? undefined : map;
  });
  console.log(name, "is signed by", data?.["by"]);
};

start("pod-1");
await holder("pod-1");
start("pod-2");
await sign("first");

const lostMs = clock.now();
cutOff.add("pod-1");
await holder("pod-2");
const seconds = (clock.now() - lostMs) / 1000;
console.log("the lease has changed hands within 20 s:", seconds < 20);
await sign("second");

import { createClient, createConnection, defineResource, StatusError } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";

const integer = { type: "integer" };
const rules = [
  { rule: "self.min <= self.max", message: "min is above max" },
  { rule: "self.max >= oldSelf.max", messageExpression: "'max was ' + string(oldSelf.max)" },
];
const properties = { min: integer, max: integer };
const spec = { type: "object", properties, "x-kubernetes-validations": rules };
const schema = { openAPIV3Schema: { type: "object", properties: { spec } } };
const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "scalers.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { kind: "Scaler", plural: "scalers" },
    versions: [{ name: "v1", served: true, storage: true, schema }],
  },
};

const { fetch } = new FakeApiServer({ crds: [definition] });
const client = createClient(createConnection({ server: "http://fake", fetch }));
interface Scaler {
  metadata: { namespace: string; name: string };
  spec: { min: number; max: number };
}
const resource = { group: "example.com", version: "v1", resource: "scalers", kind: "Scaler" };
const scalers = client.resource(defineResource<Scaler>({ ...resource, scope: "Namespaced" }));

async function attempt(write: Promise<unknown>) {
  try {
    await write;
    console.log("accepted");
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    for (const { field, message } of error.causes) console.log(`${field}: ${message}`);
  }
}

const metadata = { namespace: "default", name: "web" };
await attempt(scalers.create({ metadata, spec: { min: 3, max: 2 } }));
await attempt(scalers.create({ metadata, spec: { min: 1, max: 2 } }));
await attempt(scalers.patch("default/web", { spec: { max: 1 } }));

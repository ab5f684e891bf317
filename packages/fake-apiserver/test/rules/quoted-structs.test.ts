// Messages that show types of the server, as Kubernetes 1.37.2 words them.
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.ts";

const pods = "/api/v1/namespaces/default/pods";
const containers = [{ name: "c", image: "i" }];
const pod = { metadata: { name: "a" }, spec: { containers } };
const claim = {
  metadata: { name: "a" },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
};
const volume = {
  metadata: { name: "a" },
  spec: {
    capacity: { storage: "1Gi" },
    accessModes: ["ReadWriteOnce"],
    hostPath: { path: "/a" },
  },
};

async function refusalOf(
  path: string,
  object: object,
  change: object,
  subresource = "",
): Promise<string> {
  const client = new ApiClient(new FakeApiServer({ seed: 1 }));
  await client.call("POST", path, object);
  const patch = { headers: { "content-type": "application/strategic-merge-patch+json" } };
  if (subresource !== "") {
    const debug = { ephemeralContainers: [{ name: "debug", image: "busybox" }] };
    await client.call("PATCH", `${path}/a/${subresource}`, { spec: debug }, patch);
  }
  const { body } = await client.call(
    "PATCH",
    `${path}/a${subresource && `/${subresource}`}`,
    change,
    patch,
  );
  const [cause] = body["details"].causes as readonly { readonly message: string }[];
  expect(body["message"]).toContain(cause?.message);
  return cause?.message ?? "";
}

describe("a refusal of a change shows lines of the difference (VAL-10)", () => {
  test("of the spec of a pod", async () => {
    const changed = { containers: [{ name: "c", env: [{ name: "A", value: "<" }] }] };
    const message = await refusalOf(pods, pod, { spec: changed });
    expect(message.split("\n").slice(1)).toEqual([
      "@@ -10,7 +10,13 @@",
      '    "WorkingDir": "",',
      '    "Ports": null,',
      '    "EnvFrom": null,',
      '-   "Env": null,',
      '+   "Env": [',
      "+    {",
      '+     "Name": "A",',
      '+     "Value": "\\u003c",',
      '+     "ValueFrom": null',
      "+    }",
      "+   ],",
      '    "Resources": {',
      '     "Limits": null,',
      '     "Requests": null,',
      "",
    ]);
  });

  test("of the spec of a pod, without what may be changed", async () => {
    const changed = { containers: [{ name: "c", image: "j" }], nodeName: "n" };
    const message = await refusalOf(pods, pod, { spec: changed });
    expect(message.split("\n").slice(1)).toEqual([
      "@@ -43,7 +43,7 @@",
      '  "ServiceAccountName": "",',
      '  "DeprecatedServiceAccount": "",',
      '  "AutomountServiceAccountToken": null,',
      '- "NodeName": "",',
      '+ "NodeName": "n",',
      '  "HostNetwork": false,',
      '  "HostPID": false,',
      '  "HostIPC": false,',
      "",
    ]);
  });

  test("of an ephemeral container", async () => {
    const changed = { ephemeralContainers: [{ name: "debug", image: "other" }] };
    expect(await refusalOf(pods, pod, { spec: changed }, "ephemeralcontainers")).toBe(
      'Forbidden: existing ephemeral containers "debug" may not be changed\n@@ -1,6 +1,6 @@\n {\n  "Name": "debug",\n- "Image": "busybox",\n+ "Image": "other",\n  "Command": null,\n  "Args": null,\n  "WorkingDir": "",\n',
    );
  });

  test("of a claim", async () => {
    const path = "/api/v1/namespaces/default/persistentvolumeclaims";
    const change = { spec: { resources: { requests: { storage: "2Gi" } } } };
    expect(await refusalOf(path, claim, change)).toBe(
      'Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n@@ -6,7 +6,7 @@\n  "Resources": {\n   "Limits": null,\n   "Requests": {\n-   "storage": "1Gi"\n+   "storage": "2Gi"\n   }\n  },\n  "VolumeName": "",\n',
    );
  });

  test("of the source of a volume", async () => {
    const change = { spec: { hostPath: { path: "/b" } } };
    expect(await refusalOf("/api/v1/persistentvolumes", volume, change)).toBe(
      'Forbidden: spec.persistentvolumesource is immutable after creation\n@@ -2,7 +2,7 @@\n  "GCEPersistentDisk": null,\n  "AWSElasticBlockStore": null,\n  "HostPath": {\n-  "Path": "/a",\n+  "Path": "/b",\n   "Type": ""\n  },\n  "Glusterfs": null,\n',
    );
  });
});

test("a refusal of another template of a Job shows the template with the names of Go", async () => {
  const template = {
    metadata: { annotations: { a: "b" } },
    spec: { restartPolicy: "Never", containers },
  };
  const job = { metadata: { name: "a" }, spec: { template } };
  const changed = { spec: { template: { spec: { containers: [{ name: "c", image: "j" }] } } } };
  const message = await refusalOf("/apis/batch/v1/namespaces/default/jobs", job, changed);
  expect(message).toMatch(
    /^Invalid value: \{"labels":\{.*\},"annotations":\{"a":"b"\},"Spec":\{"Volumes":null,"InitContainers":null,"Containers":\[\{"Name":"c","Image":"j",.*\}: field is immutable$/,
  );
});

import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { type Answer, ApiClient, type Json } from "../support/api-client.ts";

const v1 = "/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers";
const v2 = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "web" };
const prefix = "autoscaling.alpha.kubernetes.io/";

function start(): ApiClient {
  return new ApiClient(new FakeApiServer({ seed: 1 }));
}

function autoscaler(spec: object, apiVersion = "autoscaling/v1"): Json {
  return {
    apiVersion,
    kind: "HorizontalPodAutoscaler",
    metadata: { name: "web" },
    spec: { scaleTargetRef, maxReplicas: 5, ...spec },
  };
}

function apply(
  client: ApiClient,
  manager: string,
  spec: object,
  apiVersion: string,
  query = "",
): Promise<Answer> {
  const path = apiVersion === "autoscaling/v1" ? v1 : v2;
  const object = autoscaler(spec, apiVersion);
  return client.call("PATCH", `${path}/web?fieldManager=${manager}${query}`, object, {
    headers: { "content-type": "application/apply-patch+yaml" },
  });
}

describe("autoscaling/v1 (API-1.17)", () => {
  test("is listed second in discovery, and shares the storage of v2", async () => {
    const client = start();
    const group = await client.get("/apis/autoscaling");
    const lists = await Promise.all(
      ["v1", "v2"].map((version) => client.get(`/apis/autoscaling/${version}`)),
    );

    expect(group.body["preferredVersion"].version).toBe("v2");
    expect(group.body["versions"].map(({ version }: Json) => version)).toEqual(["v2", "v1"]);
    const hashes = lists.map(({ body }) => body["resources"][0].storageVersionHash);
    expect(hashes[0]).toBe(hashes[1]);
  });

  test("converts the CPU utilization to a metric of v2, and back", async () => {
    const client = start();
    const sent = autoscaler({ targetCPUUtilizationPercentage: 50 });

    const created = await client.call("POST", v1, sent);
    const other = await client.get(`${v2}/web`);

    expect(created.body["spec"]).toEqual({ ...sent["spec"], minReplicas: 1 });
    expect(created.body["status"]).toEqual({ currentReplicas: 0, desiredReplicas: 0 });
    expect(other.body["spec"].metrics).toEqual([
      {
        type: "Resource",
        resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } },
      },
    ]);
  });

  test("owners own fields of the version that they write", async () => {
    const client = start();
    await client.call("POST", v1, autoscaler({ targetCPUUtilizationPercentage: 50 }));
    const patch = { spec: { metrics: [], behavior: { scaleDown: { selectPolicy: "Min" } } } };
    await client.call("PATCH", `${v2}/web?fieldManager=other`, patch);
    const { body } = await client.get(`${v2}/web`);

    const owned = Object.fromEntries(
      body["metadata"].managedFields.map((entry: Json) => [
        entry["apiVersion"],
        Object.keys(entry["fieldsV1"]["f:spec"]),
      ]),
    );
    expect(owned["autoscaling/v1"]).toContain("f:scaleTargetRef");
    expect(owned["autoscaling/v1"]).not.toContain("f:metrics");
    expect(owned["autoscaling/v2"]).toContain("f:behavior");
  });

  test("an apply through one version sees fields applied through the other", async () => {
    const client = start();
    await apply(client, "a", { minReplicas: 2 }, "autoscaling/v1");

    const conflict = await apply(client, "b", { minReplicas: 3 }, "autoscaling/v2");
    const given = await apply(client, "a", {}, "autoscaling/v1");

    expect(conflict.status).toBe(409);
    expect(given.status).toBe(200);
    expect(given.body["spec"].minReplicas).toBe(1);
  });

  test("owners are compared in their own version, and keep their other fields there (SSA-40)", async () => {
    const client = start();
    const target = { type: "Utilization", averageUtilization: 50 };
    const metrics = [{ type: "Resource", resource: { name: "cpu", target } }];
    await apply(client, "a", { metrics, minReplicas: 2 }, "autoscaling/v2");
    const changed = { targetCPUUtilizationPercentage: 60 };

    const same = await apply(
      client,
      "c",
      { targetCPUUtilizationPercentage: 50 },
      "autoscaling/v1",
      "&dryRun=All",
    );
    const conflict = await apply(client, "b", changed, "autoscaling/v1");
    const forced = await apply(client, "b", changed, "autoscaling/v1", "&force=true");

    expect(same.status).toBe(200);
    expect(conflict.status).toBe(409);
    expect(conflict.body["message"]).toBe(
      'Apply failed with 1 conflict: conflict with "a": .spec.metrics',
    );
    const owned = forced.body["metadata"].managedFields.map(
      ({ apiVersion, fieldsV1, manager }: Json) =>
        `${manager} ${apiVersion} ${Object.keys(fieldsV1["f:spec"]).join(" ")}`,
    );
    expect(owned.toSorted()).toEqual([
      "a autoscaling/v2 f:maxReplicas f:minReplicas f:scaleTargetRef",
      "b autoscaling/v1 f:maxReplicas f:scaleTargetRef f:targetCPUUtilizationPercentage",
    ]);
  });

  test("members without a field are kept in annotations, which convert back to fields", async () => {
    const client = start();
    const metrics = [
      {
        type: "Pods",
        pods: {
          metric: { name: "rps" },
          target: { type: "AverageValue", averageValue: "10" },
        },
      },
    ];
    const behavior = { scaleDown: { stabilizationWindowSeconds: 60 } };
    const created = await client.call(
      "POST",
      v2,
      autoscaler({ metrics, behavior }, "autoscaling/v2"),
    );
    expect(created.status).toBe(201);

    const { body } = await client.get(`${v1}/web`);
    expect(JSON.parse(body["metadata"].annotations[`${prefix}metrics`])).toEqual([
      { type: "Pods", pods: { metricName: "rps", targetAverageValue: "10" } },
    ]);
    expect(body["spec"]).toEqual({ scaleTargetRef, minReplicas: 1, maxReplicas: 5 });

    const updated = await client.call("PUT", `${v1}/web`, {
      ...body,
      spec: { ...body["spec"], maxReplicas: 7 },
    });
    const other = await client.get(`${v2}/web`);

    expect(updated.status).toBe(200);
    expect(other.body["metadata"].annotations).toBeUndefined();
    expect(other.body["spec"]).toEqual({ ...created.body["spec"], maxReplicas: 7 });
  });

  test("tables, watches and selectors use the stored objects", async () => {
    const client = start();
    await client.call("POST", v1, autoscaler({ targetCPUUtilizationPercentage: 50 }));
    const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
    const table = await client.call("GET", v1, undefined, { headers: { accept } });
    const watch = await client.watch(`${v1}?watch=1`);

    expect(table.body["rows"][0].cells.slice(0, 4)).toEqual([
      "web",
      "Deployment/web",
      "cpu: <unknown>/50%",
      "1",
    ]);
    const event = await watch.next();
    expect(event?.object["apiVersion"]).toBe("autoscaling/v1");
    expect(event?.object["spec"].targetCPUUtilizationPercentage).toBe(50);
    await watch.cancel();
  });

  test("a table shows two metrics, and how many more there are", async () => {
    const client = start();
    const resource = (name: string) => ({
      type: "Resource",
      resource: { name, target: { type: "Utilization", averageUtilization: 50 } },
    });
    const target = { type: "Value", value: "3" };
    const external = { type: "External", external: { metric: { name: "queue" }, target } };
    const average = { type: "AverageValue", averageValue: "2" };
    const object = {
      type: "Object",
      object: {
        metric: { name: "hits" },
        describedObject: { kind: "Service", name: "web" },
        target: average,
      },
    };
    const shownFor = async (...metrics: readonly object[]): Promise<unknown> => {
      await client.call("DELETE", v2);
      await client.call("POST", v2, autoscaler({ metrics }, "autoscaling/v2"));
      const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
      const { body } = await client.call("GET", v2, undefined, { headers: { accept } });
      return body["rows"][0].cells[2];
    };
    expect(await shownFor(resource("cpu"), resource("memory"), external)).toBe(
      "cpu: <unknown>/50%, memory: <unknown>/50% + 1 more...",
    );
    expect(await shownFor(external, object)).toBe("<unknown>/3, <unknown>/2 (avg)");
  });
});

import { FakeApiServer, type PodLogRequest } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient } from "../../support/api-client.ts";
import { podOf, pods } from "../../support/pods.ts";

const two = [
  { name: "main", image: "example" },
  { name: "side", image: "example" },
];

async function setUp(spec: object = { nodeName: "n1" }) {
  const server = new FakeApiServer({ seed: 1 });
  const client = new ApiClient(server);
  await client.call("POST", pods, podOf("web", spec));
  const read = (query = "") => client.send("GET", `${pods}/web/log${query}`);
  return { client, read, server };
}

describe("the log of a pod", () => {
  test("is empty by default (SUB-9)", async () => {
    const { read } = await setUp();
    const response = await read();
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(await response.text()).toBe("");
  });

  test("comes from a user-supplied function, which receives the options (SUB-9)", async () => {
    const { read, server } = await setUp();
    const asked: PodLogRequest[] = [];
    server.control.pods.log((request) => {
      asked.push(request);
      return "hello\n";
    });
    expect(await (await read("?follow=true&tailLines=5&timestamps=1&previous=0")).text()).toBe(
      "hello\n",
    );
    expect(asked[0]).toMatchObject({
      container: "main",
      pod: { metadata: { name: "web" } },
      options: { follow: true, previous: false, timestamps: true, tailLines: 5 },
    });
  });

  test("that is a stream continues until the test ends it (SUB-9)", async () => {
    const { read, server } = await setUp();
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    server.control.pods.log(() => readable);
    const { body } = await read("?follow=true");
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    const first = writer.write(new TextEncoder().encode("one\n"));
    expect((await reader.read()).value).toBe("one\n");
    await first;
    const second = writer.write(new TextEncoder().encode("two\n"));
    expect((await reader.read()).value).toBe("two\n");
    await second;
    await writer.close();
    expect((await reader.read()).done).toBe(true);
  });

  test("may be set for a container, and is limited to the requested lines", async () => {
    const { read, server } = await setUp({ nodeName: "n1", containers: two });
    const { pods: control } = server.control;
    control.setLog({ name: "web" }, "a\nb\nc\n");
    control.setLog({ name: "web", container: "side" }, "x");
    expect(await (await read("?container=main&tailLines=2")).text()).toBe("b\nc\n");
    expect(await (await read("?container=main&tailLines=0")).text()).toBe("");
    expect(await (await read("?container=side")).text()).toBe("x");
  });

  test("of a pod without a node is empty (SUB-9)", async () => {
    const { read } = await setUp({});
    const response = await read();
    expect([response.status, await response.text()]).toEqual([204, ""]);
  });

  test("requires a container if there are several, and an existing one (SUB-9)", async () => {
    const initContainers = [{ name: "first", image: "example" }];
    const { client, read } = await setUp({ nodeName: "n1", containers: two, initContainers });
    const message = async (query: string) =>
      (await client.get(`${pods}/web/log${query}`)).body["message"];
    expect(await message("")).toBe(
      "a container name must be specified for pod web, choose one of: [main side] or one of the init containers: [first]",
    );
    expect(await message("?container=zz")).toBe("container zz is not valid for pod web");
    expect((await read("?container=first")).status).toBe(200);
  });

  test.each([
    ["tailLines=-1", "tailLines: Invalid value: -1: must be greater than or equal to 0"],
    ["limitBytes=0", "limitBytes: Invalid value: 0: must be greater than 0"],
    ["sinceSeconds=0", "sinceSeconds: Invalid value: 0: must be greater than 0"],
  ])("with %s is rejected", async (query, why) => {
    const { client } = await setUp();
    const { body, status } = await client.get(`${pods}/web/log?${query}`);
    expect(status).toBe(422);
    expect(body["message"]).toBe(`PodLogOptions "web" is invalid: ${why}`);
  });
});

describe("exec, port forwarding and proxies", () => {
  test.each(["GET", "POST"])(
    "are rejected with 400 for %s, without a node (SUB-10)",
    async (method) => {
      const { client } = await setUp({});
      for (const subresource of ["attach", "exec", "portforward"]) {
        const { body, status } = await client.call(method, `${pods}/web/${subresource}`);
        expect([status, body["message"]]).toEqual([400, "pod web does not have a host assigned"]);
      }
    },
  );

  test("are rejected with 400 for a pod on a node, too (SUB-10)", async () => {
    const { client } = await setUp();
    const { body, status } = await client.call("POST", `${pods}/web/exec?command=ls`);
    expect([status, body["message"]]).toEqual([400, "exec is not supported by this server"]);
    const unknown = await client.call("POST", `${pods}/web/exec?container=zz`);
    expect(unknown.body["message"]).toBe("container zz is not valid for pod web");
  });

  test("return 503 for a proxy (SUB-10)", async () => {
    const { client } = await setUp();
    const service = { metadata: { name: "api" }, spec: { ports: [{ port: 80 }] } };
    await client.call("POST", "/api/v1/namespaces/default/services", service);
    for (const path of [`${pods}/web/proxy`, `${pods}/http:web:80/proxy/some/page`]) {
      expect(await client.get(path)).toMatchObject({
        status: 503,
        body: { reason: "ServiceUnavailable" },
      });
    }
    const { body } = await client.get("/api/v1/namespaces/default/services/api:80/proxy/");
    expect(body["message"]).toBe('no endpoints available for service "api"');
    expect((await client.get(`${pods}/gone/proxy`)).status).toBe(404);
  });
});

import { FakeApiServer } from "@listwatch/fake-apiserver";
import type { FetchHandler } from "@listwatch/fake-apiserver/node";
import { describe, expect, test } from "vitest";
import { loadManifests } from "../../src/adapters/node-load.ts";
import type { Manifest } from "../../src/adapters/node-manifests.ts";
import { widgetsCrd } from "../support/widgets-crd.ts";

function manifest(object: Manifest["object"], line = 1): Manifest {
  const { apiVersion, kind } = object;
  return { file: "a.yaml", line, apiVersion: String(apiVersion), kind: String(kind), object };
}

function configMap(name: string): Manifest["object"] {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name } };
}

function start() {
  const server = new FakeApiServer({ seed: 1 });
  const sent: string[] = [];
  const handler: FetchHandler = {
    fetch: (request) => {
      sent.push(`${request.method} ${new URL(request.url).pathname}`);
      return server.fetch(request);
    },
  };
  const warnings: string[] = [];
  const load = (...manifests: readonly Manifest[]) =>
    loadManifests(handler, manifests, {
      onWarning: (text) => warnings.push(text),
      onError: (error) => {
        throw error;
      },
    });
  return { load, sent, warnings };
}

describe("loading manifests", () => {
  test("requests the resources of a group once, and again after a definition", async () => {
    const { load, sent } = start();
    const widget = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "a" } };
    const definition = widgetsCrd({ type: "object" });
    const other = { ...definition, metadata: { name: "gadgets.example.com" } };
    const names = { plural: "gadgets", kind: "Gadget" };
    Object.assign(other, { spec: { ...Object(definition["spec"]), names } });
    const gadget = { apiVersion: "example.com/v1", kind: "Gadget", metadata: { name: "a" } };
    const objects = ["a", "b", "c"].map((name) => manifest(configMap(name)));
    await load(...objects, manifest(widget), manifest(definition));
    await load(manifest(gadget), manifest(other), manifest(widget));
    const discovered = sent.filter((text) => /^GET .*\/v1$/.test(text));
    expect(discovered).toEqual([
      "GET /apis/apiextensions.k8s.io/v1",
      "GET /api/v1",
      "GET /apis/example.com/v1",
      "GET /apis/apiextensions.k8s.io/v1",
      "GET /apis/example.com/v1",
    ]);
  });

  test("loads configurations of webhooks after the objects that these would see", async () => {
    const { load, sent } = start();
    const configuration = {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name: "absent" },
      webhooks: [
        {
          name: "maps.example.com",
          clientConfig: { service: { namespace: "default", name: "absent" } },
          rules: [
            { apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["*"] },
          ],
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
        },
      ],
    };
    await load(manifest(configuration), manifest(configMap("a")));
    const writes = sent.filter((text) => text.startsWith("POST"));
    expect(writes.map((text) => text.slice(text.lastIndexOf("/") + 1))).toEqual([
      "configmaps",
      "validatingwebhookconfigurations",
    ]);
  });

  test("reports each warning of the server once, with its position", async () => {
    const { load, warnings } = start();
    const endpoints = { apiVersion: "v1", kind: "Endpoints", metadata: { name: "old" } };
    await load(manifest(endpoints, 7));
    await load(manifest(configMap("a")));
    expect(warnings).toEqual([
      'a.yaml:7: Endpoints "old": v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
    ]);
  });

  test("parses warnings with quotes and letters of other alphabets", async () => {
    const texts: string[] = [];
    const handler: FetchHandler = {
      fetch: async (request) => {
        if (request.method === "GET") {
          const resources = [{ name: "configmaps", kind: "ConfigMap", namespaced: true }];
          return Response.json({ resources });
        }
        const headers = new Headers();
        headers.append("warning", String.raw`299 - "a \"b\", c \\ d"`);
        headers.append("warning", '299 - "\u00c3\u00bc"');
        headers.append("warning", '299 - "\u00c3\u00bc"');
        return Response.json({}, { status: 201, headers });
      },
    };
    await loadManifests(handler, [manifest(configMap("a"))], {
      onWarning: (text) => texts.push(text),
      onError: (error) => {
        throw error;
      },
    });
    expect(texts).toEqual([
      String.raw`a.yaml:1: ConfigMap "a": a "b", c \ d`,
      'a.yaml:1: ConfigMap "a": ü',
    ]);
  });
});

import { describe, expect, test } from "vitest";
import { builtinResources } from "../../src/kinds/builtin-kinds.ts";
import { builtinResource as resource } from "../support/builtin-row.ts";

describe("built-in resources (API-1.22)", () => {
  test("warn of their deprecation", () => {
    const texts = builtinResources().flatMap(({ versions }) =>
      versions.flatMap(({ deprecated, deprecationWarning }) =>
        deprecated ? [deprecationWarning] : [],
      ),
    );
    expect(texts).toContain(
      "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
    );
    expect(texts).toContain("v1 ComponentStatus is deprecated in v1.19+");
  });

  test("have unique names and short names", () => {
    const paths = builtinResources().map(({ group, plural }) => `${group}/${plural}`);
    expect(new Set(paths).size).toBe(paths.length);
    // The two Event kinds have the same short names, as in Kubernetes.
    const shortNames = builtinResources()
      .filter(({ group }) => group !== "events.k8s.io")
      .flatMap((one) => one.shortNames);
    expect(new Set(shortNames).size).toBe(shortNames.length);
  });

  test.each([
    ["pods", "Pod", ["po"], true],
    ["services", "Service", ["svc"], true],
    ["configmaps", "ConfigMap", ["cm"], true],
    ["namespaces", "Namespace", ["ns"], false],
    ["nodes", "Node", ["no"], false],
    ["persistentvolumeclaims", "PersistentVolumeClaim", ["pvc"], true],
    ["endpoints", "Endpoints", ["ep"], true],
    ["apps/deployments", "Deployment", ["deploy"], true],
    ["apps/statefulsets", "StatefulSet", ["sts"], true],
    ["batch/cronjobs", "CronJob", ["cj"], true],
    ["networking.k8s.io/ingresses", "Ingress", ["ing"], true],
    ["networking.k8s.io/networkpolicies", "NetworkPolicy", ["netpol"], true],
    ["policy/poddisruptionbudgets", "PodDisruptionBudget", ["pdb"], true],
    ["storage.k8s.io/storageclasses", "StorageClass", ["sc"], false],
    ["scheduling.k8s.io/priorityclasses", "PriorityClass", ["pc"], false],
    ["coordination.k8s.io/leases", "Lease", [], true],
    [
      "apiextensions.k8s.io/customresourcedefinitions",
      "CustomResourceDefinition",
      ["crd", "crds"],
      false,
    ],
    ["certificates.k8s.io/certificatesigningrequests", "CertificateSigningRequest", ["csr"], false],
    ["autoscaling/horizontalpodautoscalers", "HorizontalPodAutoscaler", ["hpa"], true],
  ])("%s are of kind %s, short %j, namespaced: %s", (name, kind, shortNames, namespaced) => {
    expect(resource(name)).toMatchObject({
      kind,
      shortNames,
      namespaced,
      custom: false,
      listKind: `${kind}List`,
    });
  });

  test("define whether they allow updates without a resourceVersion and creation by PUT (API-1.12)", () => {
    const flags = (name: string): readonly boolean[] => {
      const { unconditionalUpdate, createOnUpdate } = resource(name);
      return [unconditionalUpdate, createOnUpdate];
    };
    expect(flags("pods")).toEqual([true, false]);
    expect(flags("services")).toEqual([true, true]);
    expect(flags("coordination.k8s.io/leases")).toEqual([false, true]);
    expect(flags("rbac.authorization.k8s.io/roles")).toEqual([true, true]);
    expect(flags("policy/poddisruptionbudgets")).toEqual([false, false]);
    expect(flags("apiextensions.k8s.io/customresourcedefinitions")).toEqual([false, false]);
  });

  test("define whether they have a generation, a status, a scale and a grace period", () => {
    expect(resource("apps/deployments")).toMatchObject({
      hasGeneration: true,
      versions: [{ status: true, scale: { specReplicas: ".spec.replicas" } }],
    });
    expect(resource("configmaps")).toMatchObject({
      hasGeneration: false,
      versions: [{ status: false }],
    });
    expect(resource("pods")).toMatchObject({
      hasGeneration: true,
      graceful: true,
      returnsDeletedObject: true,
    });
    expect(resource("namespaces").returnsDeletedObject).toBe(true);
  });
});

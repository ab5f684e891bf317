/** A project with custom resources. */
export interface Project {
  readonly name: string;
  /** Go module and version of a release. */
  readonly module?: string;
  /** Patterns of the module's files with the definitions. */
  readonly definitions?: readonly string[];
  /** File in the folder `fixtures`, with definitions or samples that were written for this test. */
  readonly fixture?: string;
}

export const projects: readonly Project[] = [
  {
    name: "Argo CD",
    module: "github.com/argoproj/argo-cd/v2@v2.14.21",
    definitions: ["manifests/crds/*-crd.yaml"],
  },
  {
    name: "Argo Rollouts",
    module: "github.com/argoproj/argo-rollouts@v1.10.1",
    definitions: ["manifests/crds/*-crd.yaml"],
  },
  {
    name: "cert-manager",
    module: "github.com/cert-manager/cert-manager@v1.21.2",
    definitions: ["deploy/crds/*.yaml"],
  },
  {
    name: "Cilium",
    module: "github.com/cilium/cilium@v1.20.2",
    definitions: ["pkg/k8s/apis/cilium.io/client/crds/*/*.yaml"],
  },
  {
    name: "Cluster API",
    module: "sigs.k8s.io/cluster-api@v1.14.2",
    definitions: ["**/config/crd/bases/*.yaml"],
  },
  {
    name: "Contour",
    module: "github.com/projectcontour/contour@v1.33.8",
    definitions: ["examples/contour/01-crds.yaml"],
  },
  {
    name: "External Secrets",
    module: "github.com/external-secrets/external-secrets@v1.3.2",
    definitions: ["config/crds/bases/*.yaml"],
  },
  {
    name: "Flux kustomize-controller",
    module: "github.com/fluxcd/kustomize-controller@v1.9.6",
    definitions: ["config/crd/bases/*.yaml"],
  },
  {
    name: "Flux source-controller",
    module: "github.com/fluxcd/source-controller@v1.9.6",
    definitions: ["config/crd/bases/*.yaml"],
  },
  {
    name: "FRR-K8s",
    module: "github.com/metallb/frr-k8s@v0.0.21",
    definitions: ["config/crd/bases/*.yaml"],
  },
  {
    name: "Gatekeeper",
    module: "github.com/open-policy-agent/gatekeeper/v3@v3.23.1",
    definitions: ["deploy/gatekeeper.yaml"],
  },
  {
    name: "Gateway API",
    module: "sigs.k8s.io/gateway-api@v1.6.3",
    definitions: ["config/crd/experimental/*.yaml"],
  },
  {
    name: "Istio",
    module: "istio.io/api@v1.32.0",
    definitions: ["kubernetes/customresourcedefinitions.gen.yaml"],
    // The module has no samples.
    fixture: "istio.yaml",
  },
  {
    name: "Karpenter",
    module: "sigs.k8s.io/karpenter@v1.14.0",
    definitions: ["pkg/apis/crds/*.yaml"],
  },
  {
    name: "KEDA",
    module: "github.com/kedacore/keda/v2@v2.21.0",
    definitions: ["config/crd/bases/*.yaml"],
  },
  {
    name: "Knative Serving",
    module: "knative.dev/serving@v0.51.0",
    definitions: ["config/core/300-resources/*.yaml"],
  },
  {
    name: "Kubeflow training-operator",
    module: "github.com/kubeflow/training-operator@v1.8.1",
    definitions: ["manifests/base/crds/*.yaml"],
  },
  {
    name: "KubeRay",
    module: "github.com/ray-project/kuberay/ray-operator@v1.5.0",
    definitions: ["config/crd/bases/*.yaml"],
  },
  {
    name: "Kueue",
    module: "sigs.k8s.io/kueue@v0.17.0",
    definitions: ["config/components/crd/bases/*.yaml"],
  },
  {
    name: "Kyverno",
    module: "github.com/kyverno/kyverno@v1.19.1",
    definitions: ["config/crds/*/*.yaml"],
  },
  {
    name: "MetalLB",
    module: "go.universe.tf/metallb@v0.16.2",
    definitions: ["config/crd/bases/*.yaml"],
  },
  {
    name: "MongoDB operator",
    module: "github.com/mongodb/mongodb-kubernetes-operator@v0.9.0",
    definitions: ["config/crd/bases/*.yaml"],
  },
  {
    name: "Network Policy API",
    module: "sigs.k8s.io/network-policy-api@v0.3.0",
    definitions: ["config/crd/experimental/*.yaml"],
  },
  {
    name: "Prometheus operator",
    module: "github.com/prometheus-operator/prometheus-operator@v0.85.0",
    definitions: ["example/prometheus-operator-crd-full/*.yaml"],
  },
  {
    name: "Traefik",
    module: "github.com/traefik/traefik/v3@v3.7.13",
    definitions: ["docs/content/reference/dynamic-configuration/traefik.io_*.yaml"],
  },
  {
    name: "Velero",
    module: "github.com/vmware-tanzu/velero@v1.18.3",
    definitions: ["config/crd/*/bases/*.yaml"],
  },
  // No release of these is a Go module on the registry.
  { name: "CloudNativePG", fixture: "cloud-native-pg.yaml" },
  { name: "Crossplane", fixture: "crossplane.yaml" },
  { name: "Grafana operator", fixture: "grafana-operator.yaml" },
  { name: "Longhorn", fixture: "longhorn.yaml" },
  { name: "OpenTelemetry operator", fixture: "opentelemetry-operator.yaml" },
  { name: "Rook", fixture: "rook.yaml" },
  { name: "Strimzi", fixture: "strimzi.yaml" },
  { name: "Tekton", fixture: "tekton.yaml" },
  { name: "Volcano", fixture: "volcano.yaml" },
];

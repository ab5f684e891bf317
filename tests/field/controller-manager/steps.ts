import type { Tour } from "../../kubectl/tours/tour.ts";

const budget = `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: shop
spec:
  minAvailable: 1
  selector: { matchLabels: { app: shop } }
---
apiVersion: v1
kind: ResourceQuota
metadata:
  name: counts
spec:
  hard: { pods: "9", count/deployments.apps: "4" }
`;

/** Work of a controller manager beyond the workloads that simulated controllers run. */
export const managerSteps: Pick<Tour, "files" | "steps"> = {
  files: { "budget.yaml": budget },
  steps: [
    {
      command:
        "get lease kube-controller-manager -n kube-system -o jsonpath={.spec.leaseTransitions}",
      prints: [/^0$/],
    },
    { command: "create namespace work", prints: [/created/] },
    { command: "wait --for=create serviceaccount/default -n work --timeout=60s", since: 31 },
    { command: "wait --for=create configmap/kube-root-ca.crt -n work --timeout=60s", since: 31 },
    { command: "create deployment shop --image=shop:1 --replicas=2 -n work", prints: [/created/] },
    { command: "rollout status deployment/shop -n work --timeout=60s", prints: [/rolled out/] },
    { command: "apply -f budget.yaml -n work", prints: [/created/] },
    {
      command: "wait --for=jsonpath={.status.disruptionsAllowed}=1 pdb/shop -n work --timeout=60s",
      prints: [/condition met/],
    },
    {
      command:
        "wait --for=jsonpath={.status.used.pods}=2 resourcequota/counts -n work --timeout=60s",
      prints: [/condition met/],
    },
    {
      command: "get replicasets -n work -o jsonpath={.items[*].metadata.name}",
      keeps: "SET",
      prints: [/^shop-\w+$/],
    },
    // An orphaning deletion leaves the set, a foreground one deletes it with its pods.
    {
      command: "delete deployment shop -n work --cascade=orphan --timeout=60s",
      prints: [/deleted/],
    },
    {
      command: "get replicaset $SET -n work -o jsonpath={.metadata.ownerReferences}",
      prints: [/^$/],
    },
    {
      command: "delete replicaset $SET -n work --cascade=foreground --timeout=60s",
      prints: [/deleted/],
    },
    { command: "get pods -n work -o name", lacks: [/./] },
    { command: "create job once --image=busybox -n work", prints: [/created/] },
    {
      command: "wait --for=condition=Complete job/once -n work --timeout=60s",
      prints: [/condition met/],
    },
    { command: "create deployment shop --image=shop:1 -n work", prints: [/created/] },
    { command: "rollout status deployment/shop -n work --timeout=60s", prints: [/rolled out/] },
    { command: "delete deployment shop -n work --timeout=60s", prints: [/deleted/] },
    { command: "wait --for=delete pods -l app=shop -n work --timeout=60s" },
    { command: "delete namespace work --timeout=60s", prints: [/deleted/] },
    { command: "get all -n work -o name", lacks: [/./] },
    { command: "get namespace work", fails: /not found/ },
  ],
};

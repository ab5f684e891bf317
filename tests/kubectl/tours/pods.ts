import type { Tour } from "./tour.ts";

function pod(name: string): string {
  return `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
  namespace: run
  labels:
    app: web
spec:
  nodeName: node-1
  terminationGracePeriodSeconds: 0
  containers:
    - name: main
      image: nginx:1.29
`;
}

const ready = `{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}`;
const running = `-n run --subresource=status --type=merge -p '{"status":${ready}}'`;
const counts = `{"observedGeneration":1,"currentHealthy":2,"desiredHealthy":2,"expectedPods":2}`;
const counted = `-n run --subresource=status --type=merge -p '{"status":${counts}}'`;

/** Nodes, their pods, and the subresources that kubectl has commands for. */
export const podTour: Tour = {
  name: "pods and nodes",
  files: {
    "node.yaml": "apiVersion: v1\nkind: Node\nmetadata:\n  name: node-1\n",
    "pods.yaml": `${pod("web-1")}---\n${pod("web-2")}`,
  },
  prepare(server) {
    const log = "first\nsecond\nthird\n";
    server.control.pods.setLog({ namespace: "run", name: "web-1" }, log);
  },
  steps: [
    { command: "create namespace run", prints: [/created/] },
    { command: "create -f node.yaml", prints: [/^node\/node-1 created$/m] },
    { command: "create -f pods.yaml", prints: [/web-1 created$/m, /web-2 created$/m] },
    { command: "logs web-1 -n run", prints: [/^first\nsecond\nthird\n$/] },
    { command: "logs web-1 -n run --tail=1", prints: [/^third\n$/] },
    { command: "logs missing -n run", fails: /pods "missing" not found/ },
    {
      command: "debug web-1 -n run --image=busybox:1.37 -c look --attach=false",
    },
    {
      command: "get pod web-1 -n run -o jsonpath={.spec.ephemeralContainers[*].name}",
      prints: [/^look$/],
    },
    { command: "taint node node-1 color=blue:NoSchedule", prints: [/^node\/node-1 tainted$/m] },
    {
      command: "taint node node-1 color=blue:NoSchedule",
      fails: /already has color taint\(s\) with same effect/,
    },
    { command: "taint node node-1 color-", prints: [/^node\/node-1 untainted$/m] },
    { command: "cordon node-1", prints: [/^node\/node-1 cordoned$/m] },
    { command: "get nodes", prints: [/^node-1 +Unknown,SchedulingDisabled /m] },
    { command: "uncordon node-1", prints: [/^node\/node-1 uncordoned$/m] },
    { command: "drain node-1", fails: /cannot delete.*that declare no controller/s },
    {
      command: "drain node-1 --force --timeout=300s",
      prints: [/^evicting pod run\/web-1$/m, /^pod\/web-2 evicted$/m, /^node\/node-1 drained$/m],
    },
    { command: "get pods -n run -o name", prints: [/^$/] },
    { command: "create -f pods.yaml", prints: [/web-1 created$/m] },
    // A budget only protects running pods.
    { command: `patch pod web-1 ${running}`, prints: [/web-1 patched$/m] },
    { command: `patch pod web-2 ${running}`, prints: [/web-2 patched$/m] },
    {
      command: "create poddisruptionbudget safe -n run --selector=app=web --min-available=2",
      prints: [/created/],
    },
    // There is no controller, so the tour writes the counts.
    { command: `patch poddisruptionbudget safe ${counted}`, prints: [/safe patched$/m] },
    {
      command: "drain node-1 --force --timeout=2s",
      fails: /Cannot evict pod as it would violate the pod's disruption budget/,
    },
    {
      command: "drain node-1 --force --disable-eviction --timeout=300s",
      prints: [/^node\/node-1 drained$/m],
    },
  ],
};

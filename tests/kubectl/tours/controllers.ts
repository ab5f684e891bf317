import type { Tour } from "./tour.ts";

const sets = `apiVersion: v1
kind: Node
metadata:
  name: node-a
---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: db
spec:
  replicas: 2
  serviceName: db
  selector: { matchLabels: { app: db } }
  template:
    metadata: { labels: { app: db } }
    spec: { containers: [{ name: db, image: "db:1" }] }
---
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: agent
spec:
  selector: { matchLabels: { app: agent } }
  template:
    metadata: { labels: { app: agent } }
    spec: { containers: [{ name: agent, image: "agent:1" }] }
`;

/** Workloads on a server whose simulated controllers run them. */
export const controllerTour: Tour = {
  name: "controllers",
  options: { controllers: true },
  files: { "sets.yaml": sets },
  steps: [
    { command: "create deployment web --image=nginx:1 --replicas=3", prints: [/created/] },
    {
      command: "rollout status deployment/web --timeout=60s",
      prints: [/^deployment "web" successfully rolled out$/m],
    },
    { command: "get deployment web", prints: [/^web +3\/3 +3 +3 /m] },
    {
      command: "wait --for=condition=Available deployment/web --timeout=60s",
      prints: [/^deployment\.apps\/web condition met$/m],
    },
    {
      command: "wait --for=condition=Ready pods -l app=web --timeout=60s",
      prints: [/condition met\n.*condition met\n.*condition met/],
    },
    { command: "set image deployment/web nginx=nginx:2", prints: [/image updated/] },
    { command: "rollout status deployment/web --timeout=60s", prints: [/rolled out/] },
    { command: "rollout history deployment/web", prints: [/^1 +<none>\n2 +<none>$/m] },
    { command: "rollout undo deployment/web", prints: [/rolled back/] },
    { command: "rollout status deployment/web --timeout=60s", prints: [/rolled out/] },
    {
      command: "get pods -o jsonpath={.items[*].spec.containers[0].image}",
      prints: [/^nginx:1 nginx:1 nginx:1$/],
    },
    { command: "rollout history deployment/web", prints: [/^2 +<none>\n3 +<none>$/m] },
    { command: "rollout restart deployment/web", prints: [/restarted/] },
    { command: "rollout status deployment/web --timeout=60s", prints: [/rolled out/] },
    { command: "scale deployment/web --replicas=1", prints: [/scaled/] },
    {
      command: "wait --for=jsonpath={.status.replicas}=1 deployment/web --timeout=60s",
      prints: [/condition met/],
    },
    { command: "run single --image=busybox --restart=Never", prints: [/created/] },
    {
      command: "wait --for=jsonpath={.status.phase}=Succeeded pod/single --timeout=60s",
      prints: [/condition met/],
    },
    { command: "create token default", prints: [/^[\w-]+\.[\w-]+\.[\w-]+$/m] },
    { command: "expose deployment web --port=80", prints: [/exposed/] },
    {
      command: "wait --for=jsonpath={.subsets[0].addresses[0].ip} endpoints/web --timeout=60s",
      prints: [/condition met/],
    },
    { command: "apply -f sets.yaml", prints: [/created/] },
    { command: "rollout status statefulset/db --timeout=60s", prints: [/complete|roll.*out/] },
    {
      command: "rollout status daemonset/agent --timeout=60s",
      prints: [/successfully rolled out/],
    },
    { command: "set image statefulset/db db=db:2", prints: [/image updated/] },
    { command: "rollout status statefulset/db --timeout=60s", prints: [/complete|roll.*out/] },
    { command: "rollout history statefulset/db", prints: [/^1 +<none>\n2 +<none>$/m] },
    { command: "rollout undo statefulset/db", prints: [/rolled back/] },
    { command: "rollout status statefulset/db --timeout=60s", prints: [/complete|roll.*out/] },
    {
      command: "get pods -l app=db -o jsonpath={.items[*].spec.containers[0].image}",
      prints: [/^db:1 db:1$/],
    },
    { command: "rollout restart daemonset/agent", prints: [/restarted/] },
    {
      command: "rollout status daemonset/agent --timeout=60s",
      prints: [/successfully rolled out/],
    },
    { command: "rollout undo daemonset/agent", prints: [/rolled back/] },
    { command: "create job once --image=busybox", prints: [/created/] },
    {
      command: "wait --for=condition=Complete job/once --timeout=60s",
      prints: [/^job\.batch\/once condition met$/m],
    },
    {
      command: "create cronjob tick --image=busybox '--schedule=0 * * * *'",
      prints: [/created/],
    },
    { command: "create job now --from=cronjob/tick", prints: [/created/] },
    { command: "wait --for=condition=Complete job/now --timeout=60s", prints: [/condition met/] },
    { command: "drain node-a --dry-run=server --ignore-daemonsets --force", prints: [/drained/] },
    { command: "delete deployment web --timeout=60s", prints: [/deleted/] },
    { command: "wait --for=delete pods -l app=web --timeout=60s" },
  ],
};

import type { Tour } from "./tour.ts";

/** Workloads on a server whose simulated controllers run them. */
export const controllerTour: Tour = {
  name: "controllers",
  options: { controllers: true },
  files: {},
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
    { command: "delete deployment web --timeout=60s", prints: [/deleted/] },
    { command: "wait --for=delete pods -l app=web --timeout=60s" },
  ],
};

import type { Tour } from "./tour.ts";

function replicaSet(name: string, image: string, revision: number): string {
  const metadata = {
    name,
    namespace: "work",
    labels: { app: "web", "pod-template-hash": name },
    annotations: { "deployment.kubernetes.io/revision": String(revision) },
    ownerReferences: [
      { apiVersion: "apps/v1", kind: "Deployment", name: "web", uid: "$web", controller: true },
    ],
  };
  const labels = { app: "web", "pod-template-hash": name };
  const template = {
    metadata: { labels },
    spec: { containers: [{ name: "nginx", image }] },
  };
  const spec = { replicas: 0, selector: { matchLabels: labels }, template };
  return JSON.stringify({ apiVersion: "apps/v1", kind: "ReplicaSet", metadata, spec });
}

const complete = JSON.stringify({
  status: {
    observedGeneration: 100,
    replicas: 3,
    updatedReplicas: 3,
    readyReplicas: 3,
    availableReplicas: 3,
  },
});

const image = "get deployment web -n work -o jsonpath={.spec.template.spec.containers[0].image}";

/**
 * `set`, `rollout`, `scale`, labels and the three cascades of `delete`. No controller runs: the
 * tour writes ReplicaSets and status itself.
 */
export const workloadTour: Tour = {
  name: "workloads",
  files: {},
  steps: [
    { command: "create namespace work", prints: [/created/] },
    { command: "create deployment web -n work --image=nginx:1.28", prints: [/created/] },
    { command: "create serviceaccount robot -n work", prints: [/created/] },
    { command: "create service clusterip web -n work --tcp=80", prints: [/created/] },
    { command: "create role reader -n work --verb=get --resource=pods", prints: [/created/] },
    {
      command: "create rolebinding readers -n work --role=reader --user=jane",
      prints: [/created/],
    },
    {
      command: "get deployment web -n work -o jsonpath={.metadata.uid}",
      keeps: "web",
      prints: [/^[0-9a-f-]{36}$/],
    },
    {
      command: "set image deployment/web -n work nginx=nginx:1.29",
      prints: [/^deployment\.apps\/web image updated$/m],
    },
    { command: image, prints: [/^nginx:1\.29$/] },
    {
      command: "set env deployment/web -n work COLOR=blue SIZE=large",
      prints: [/^deployment\.apps\/web env updated$/m],
    },
    { command: "set env deployment/web -n work SIZE-", prints: [/env updated$/m] },
    {
      command: "set env deployment/web -n work --list",
      prints: [/^COLOR=blue$/m],
      lacks: [/SIZE/],
    },
    {
      command: "set resources deployment web -n work --limits=cpu=200m,memory=64Mi",
      prints: [/^deployment\.apps\/web resource requirements updated$/m],
    },
    {
      command: "set serviceaccount deployment web robot -n work",
      prints: [/^deployment\.apps\/web serviceaccount updated$/m],
    },
    {
      command: "set selector service web -n work app=web,tier=front",
      prints: [/^service\/web selector updated$/m],
    },
    {
      command: "set subject rolebinding readers -n work --serviceaccount=work:robot",
      prints: [/^rolebinding\.rbac\.authorization\.k8s\.io\/readers subjects updated$/m],
    },
    {
      command:
        "get deployment web -n work -o jsonpath={.spec.template.spec.serviceAccountName}:{.spec.template.spec.containers[0].resources.limits.cpu}",
      prints: [/^robot:200m$/],
    },
    {
      command: "rollout restart deployment/web -n work",
      prints: [/^deployment\.apps\/web restarted$/m],
    },
    {
      command: "get deployment web -n work -o jsonpath={.spec.template.metadata.annotations}",
      prints: [/kubectl\.kubernetes\.io\/restartedAt/],
    },
    { command: "rollout pause deployment/web -n work", prints: [/web paused$/m] },
    { command: "rollout pause deployment/web -n work", fails: /"web" is already paused/ },
    { command: "rollout restart deployment/web -n work", fails: /can't restart paused deployment/ },
    { command: "rollout resume deployment/web -n work", prints: [/web resumed$/m] },
    { command: "scale deployment/web -n work --replicas=3", prints: [/web scaled$/m] },
    {
      command: "scale deployment/web -n work --current-replicas=1 --replicas=2",
      fails: /Expected replicas to be 1, was 3/,
    },
    { command: "rollout status deployment/web -n work --timeout=1s", fails: /timed out/ },
    {
      command: `patch deployment web -n work --subresource=status --type=merge -p '${complete}'`,
      prints: [/patched$/m],
    },
    {
      command: "rollout status deployment/web -n work --timeout=300s",
      prints: [/^deployment "web" successfully rolled out$/m],
    },
    { command: "create -f -", input: replicaSet("web-1", "nginx:1.28", 1), prints: [/created/] },
    { command: "create -f -", input: replicaSet("web-2", "nginx:1.29", 2), prints: [/created/] },
    {
      command: "rollout history deployment/web -n work",
      prints: [/^REVISION +CHANGE-CAUSE$/m, /^1 +<none>$/m, /^2 +<none>$/m],
    },
    {
      command: "rollout history deployment/web -n work --revision=1",
      prints: [/Image:\s+nginx:1\.28$/m],
    },
    { command: "rollout undo deployment/web -n work", prints: [/web rolled back$/m] },
    { command: image, prints: [/^nginx:1\.28$/] },
    { command: "label deployment web -n work tier=front", prints: [/web labeled$/m] },
    {
      command: "label deployment web -n work tier=back --overwrite",
      prints: [/web labeled$/m],
    },
    { command: "label deployment web -n work tier-", prints: [/web unlabeled$/m] },
    { command: "annotate deployment web -n work note=hello", prints: [/web annotated$/m] },
    { command: "annotate deployment web -n work note-", prints: [/web annotated$/m] },
    {
      command: "delete deployment web -n work --cascade=orphan",
      prints: [/"web" deleted/],
    },
    {
      command:
        "get replicasets -n work -o jsonpath={.items[*].metadata.name}:{.items[*].metadata.ownerReferences}",
      prints: [/^web-1 web-2:$/],
    },
    { command: "delete replicasets --all -n work", prints: [/"web-1" deleted/, /"web-2" deleted/] },
    { command: "create deployment web -n work --image=nginx:1.28", prints: [/created/] },
    { command: "get deployment web -n work -o jsonpath={.metadata.uid}", keeps: "web" },
    { command: "create -f -", input: replicaSet("web-1", "nginx:1.28", 1), prints: [/created/] },
    {
      command: "delete deployment web -n work --cascade=background",
      prints: [/"web" deleted/],
    },
    { command: "wait --for=delete replicaset/web-1 -n work --timeout=300s" },
    { command: "get replicasets -n work -o name", prints: [/^$/] },
    { command: "create deployment web -n work --image=nginx:1.28", prints: [/created/] },
    { command: "get deployment web -n work -o jsonpath={.metadata.uid}", keeps: "web" },
    { command: "create -f -", input: replicaSet("web-1", "nginx:1.28", 1), prints: [/created/] },
    {
      command: "delete deployment web -n work --cascade=foreground --timeout=300s",
      prints: [/"web" deleted/],
    },
    { command: "get deployments,replicasets -n work -o name", prints: [/^$/] },
    { command: "delete namespace work --timeout=300s", prints: [/"work" deleted/] },
  ],
};

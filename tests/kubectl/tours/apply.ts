import type { Tour } from "./tour.ts";

function deployment(image: string, replicas: number): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: wish
spec:
  replicas: ${replicas}
  selector:
    matchLabels:
      app: web
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: main
          image: ${image}
          ports:
            - containerPort: 80
`;
}

function service(...ports: readonly number[]): string {
  const items = ports.map((port) => `    - name: p${port}\n      port: ${port}\n`);
  return `apiVersion: v1
kind: Service
metadata:
  name: web
  namespace: wish
spec:
  selector:
    app: web
  ports:
${items.join("")}`;
}

function settings(color: string): string {
  return `apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
  namespace: wish
data:
  color: ${color}
`;
}

/** Commands that change whole objects: apply in both ways, diff, edit, replace and patch. */
export const applyTour: Tour = {
  name: "apply",
  files: {
    "web.yaml": `${deployment("nginx:1.28", 2)}---\n${service(80)}`,
    "web-changed.yaml": `${deployment("nginx:1.29", 3)}---\n${service(80, 443)}`,
    "blue.yaml": settings("blue"),
    "red.yaml": settings("red"),
    // kubectl checks kinds of lists, and kinds that the server lacks, with /openapi/v2.
    "maps.yaml":
      "apiVersion: v1\nkind: ConfigMapList\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: listed}\n",
    "thing.yaml": "apiVersion: things.example/v1\nkind: Thing\nmetadata: {name: one}\n",
    "kustomization.yaml": "namePrefix: my-\nresources: [blue.yaml]\n",
  },
  steps: [
    { command: "create namespace wish", prints: [/created/] },
    {
      command: "apply -f web.yaml",
      prints: [/^deployment\.apps\/web created$/m, /^service\/web created$/m],
    },
    {
      command: "apply -f web.yaml",
      prints: [/^deployment\.apps\/web unchanged$/m, /^service\/web unchanged$/m],
    },
    { command: "apply -f maps.yaml", prints: [/^configmap\/listed created$/m] },
    { command: "apply -f thing.yaml", fails: /no matches for kind "Thing"[^]*ensure CRDs/ },
    { command: "diff -f web.yaml", prints: [/^$/] },
    {
      command: "diff -f web-changed.yaml",
      differs: true,
      prints: [/^-.* image: nginx:1\.28$/m, /^\+.* image: nginx:1\.29$/m, /^\+.* port: 443$/m],
    },
    {
      command: "apply -f web-changed.yaml",
      prints: [/^deployment\.apps\/web configured$/m, /^service\/web configured$/m],
    },
    {
      command:
        "get deployment web -n wish -o jsonpath={.spec.replicas}:{.spec.template.spec.containers[*].image}:{.metadata.generation}",
      prints: [/^3:nginx:1\.29:2$/],
    },
    {
      command: "get service web -n wish -o jsonpath={.spec.ports[*].port}",
      prints: [/^80 443$/],
    },
    {
      command: "apply -f web.yaml --dry-run=server",
      prints: [/^deployment\.apps\/web configured \(server dry run\)$/m],
    },
    { command: "get service web -n wish -o jsonpath={.spec.ports[*].port}", prints: [/^80 443$/] },
    { command: "apply -f web.yaml", prints: [/^service\/web configured$/m] },
    { command: "get service web -n wish -o jsonpath={.spec.ports[*].port}", prints: [/^80$/] },
    { command: "apply view-last-applied service web -n wish", prints: [/port: 80$/m] },
    { command: "apply -k .", prints: [/^configmap\/my-settings created$/m] },
    {
      command: "apply --server-side --field-manager=one -f blue.yaml",
      prints: [/^configmap\/settings serverside-applied$/m],
    },
    {
      command: "apply --server-side --field-manager=two -f red.yaml",
      fails: /Apply failed with 1 conflict: conflict with "one": \.data\.color/,
    },
    {
      command: "apply --server-side --field-manager=two --force-conflicts -f red.yaml",
      prints: [/^configmap\/settings serverside-applied$/m],
    },
    {
      command:
        "get configmap settings -n wish --show-managed-fields -o jsonpath={.data.color}:{.metadata.managedFields[*].manager}",
      prints: [/^red:two$/],
    },
    {
      command: "diff --server-side --field-manager=two -f blue.yaml",
      differs: true,
      prints: [/^-.*color: red$/m, /^\+.*color: blue$/m],
    },
    {
      command: "apply --server-side --field-manager=two -f web-changed.yaml",
      fails: /conflicts with "kubectl-client-side-apply"/,
    },
    {
      command: "apply --server-side -f web.yaml",
      prints: [/^deployment\.apps\/web serverside-applied$/m],
    },
    {
      command:
        "get deployment web -n wish --show-managed-fields -o jsonpath={.metadata.managedFields[*].manager}",
      prints: [/(^| )kubectl( |$)/],
      lacks: [/client-side/],
    },
    {
      command: "edit configmap settings -n wish",
      editor: "sed -i.bak s/red/green/",
      prints: [/^configmap\/settings edited$/m],
    },
    {
      command: "edit deployment web -n wish",
      editor: "sed -i.bak s/nginx:1.28/nginx:1.30/",
      prints: [/^deployment\.apps\/web edited$/m],
    },
    { command: "edit configmap settings -n wish", editor: "true", warns: /Edit cancelled/ },
    {
      command:
        "get deployment web -n wish -o jsonpath={.spec.template.spec.containers[0].image}:{.spec.template.spec.containers[0].ports[0].containerPort}",
      prints: [/^nginx:1\.30:80$/],
    },
    { command: "replace -f red.yaml", prints: [/^configmap\/settings replaced$/m] },
    {
      command: "replace --force -f red.yaml",
      prints: [/"settings" deleted/, /^configmap\/settings replaced$/m],
    },
    {
      command: `patch deployment web -n wish -p '{"spec":{"template":{"spec":{"containers":[{"name":"side","image":"side:1"}]}}}}'`,
      prints: [/^deployment\.apps\/web patched$/m],
    },
    {
      command: "get deployment web -n wish -o jsonpath={.spec.template.spec.containers[*].name}",
      prints: [/^side main$/],
    },
    {
      command: `patch deployment web -n wish --type=json -p '[{"op":"remove","path":"/spec/template/spec/containers/0"}]'`,
      prints: [/^deployment\.apps\/web patched$/m],
    },
    {
      command: `patch deployment web -n wish --type=merge -p '{"spec":{"paused":true}}'`,
      prints: [/^deployment\.apps\/web patched$/m],
    },
    {
      command: `patch deployment web -n wish --type=merge -p '{"spec":{"paused":true}}'`,
      prints: [/^deployment\.apps\/web patched \(no change\)$/m],
    },
    {
      command: `patch deployment web -n wish --subresource=scale --type=merge -p '{"spec":{"replicas":4}}'`,
      prints: [/patched$/m],
    },
    {
      command:
        "get deployment web -n wish -o jsonpath={.spec.replicas}:{.spec.paused}:{.spec.template.spec.containers[*].name}",
      prints: [/^4:true:main$/],
    },
    {
      command: "delete -f web.yaml",
      prints: [/deployment\.apps "web" deleted/, /service "web" deleted/],
    },
  ],
};

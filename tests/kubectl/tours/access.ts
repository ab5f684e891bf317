import type { Tour } from "./tour.ts";

/** Authorization, tokens, and discovery. */
export const accessTour: Tour = {
  name: "access and discovery",
  files: {
    "roles.yaml": `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: reader
  namespace: default
rules:
  - apiGroups: [""]
    resources: [pods]
    verbs: [get]
`,
  },
  steps: [
    { command: "auth can-i create pods", prints: [/^yes$/m] },
    { command: "auth can-i '*' '*'", prints: [/^yes$/m] },
    { command: "auth can-i --list", prints: [/^Resources +Non-Resource URLs/m, /^\*\.\* /m] },
    { command: "auth whoami", prints: [/^Username +kubernetes-admin$/m, /system:masters/] },
    {
      command: "auth reconcile -f roles.yaml",
      prints: [/^role\.rbac\.authorization\.k8s\.io\/reader reconciled$/m],
    },
    { command: "create serviceaccount robot", prints: [/created/] },
    {
      command: "create token robot --duration=1h",
      prints: [/^[\w-]+\.[\w-]+\.[\w-]+$/m],
    },
    { command: "create token missing", fails: /serviceaccounts "missing" not found/ },
    { command: "explain pods --recursive", prints: [/^ {4}containers\t<\[\]Container>/m] },
    {
      command: "explain deployments.spec --recursive",
      prints: [/^ {2}replicas\t<integer>/m, /^ {2}template\t<PodTemplateSpec>/m],
    },
    { command: "explain services.spec.ports.protocol", prints: [/^FIELD: protocol <string>$/m] },
    { command: "explain hpa --api-version=autoscaling/v2 --recursive", prints: [/maxReplicas/] },
    { command: "cluster-info", prints: [/control plane/] },
    { command: "api-resources --verbs=list,patch -o name", prints: [/^deployments\.apps$/m] },
    { command: "events", warns: /No events found/ },
    { command: "get --raw /api/v1/namespaces/default", prints: [/"name":"default"/] },
    { command: "get componentstatuses", warns: /deprecated/ },
  ],
};

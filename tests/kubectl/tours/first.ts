import { manifests } from "./first-manifests.ts";
import type { Tour } from "./tour.ts";

/** Common uses of kubectl: built-in resources first, then custom ones. */
export const firstTour: Tour = {
  name: "first steps",
  files: manifests,
  steps: [
    { command: "version", prints: [/Server Version: v1\.\d+\.\d+/] },
    { command: "api-versions", prints: [/^apps\/v1$/m, /^v1$/m] },
    {
      command: "api-resources",
      prints: [
        /^pods +po +v1 +true +Pod$/m,
        /^deployments +deploy +apps\/v1 +true +Deployment$/m,
        /^namespaces +ns +v1 +false +Namespace$/m,
      ],
    },
    {
      command: "get namespaces",
      prints: [/^NAME +STATUS +AGE$/m, /^default +Active +\d+\w/m, /^kube-system +Active/m],
    },
    { command: "create -f team.yaml", prints: [/^namespace\/team created$/m] },
    { command: "create -f team.yaml", fails: /AlreadyExists.*namespaces "team" already exists/ },
    { command: "get pods -n team", prints: [/^$/] },
    { command: "create -f pod.yaml", prints: [/^pod\/web created$/m] },
    {
      command: "get pods -n team",
      prints: [/^NAME +READY +STATUS +RESTARTS +AGE$/m, /^web +0\/1 +Pending +0 +\d+\w/m],
    },
    { command: "get pods -A -o name", prints: [/^pod\/web$/m] },
    {
      command: "get pod web -n team -o jsonpath={.spec.containers[0].image}",
      prints: [/^nginx:1\.29$/],
    },
    {
      command: "get pod web -n team -o yaml",
      prints: [/^kind: Pod$/m, /^ {2}uid: [0-9a-f-]{36}$/m],
    },
    { command: "get pods -n team -l app=web -o name", prints: [/^pod\/web$/m] },
    { command: "get pods -n team -l app!=web -o name", prints: [/^$/] },
    {
      command: "get pods -n team --field-selector metadata.name=web -o name",
      prints: [/^pod\/web$/m],
    },
    { command: "get pod missing -n team", fails: /NotFound.*pods "missing" not found/ },
    { command: "get gadgets", fails: /the server doesn't have a resource type "gadgets"/ },
    {
      command: "describe pod web -n team",
      prints: [/^Name: +web$/m, /Image: +nginx:1\.29$/m, /^Events: +<none>$/m],
    },
    { command: "label pod web -n team tier=front", prints: [/^pod\/web labeled$/m] },
    { command: "label pod web -n team tier=back", fails: /already has a value/ },
    { command: "annotate pod web -n team note=hello", prints: [/^pod\/web annotated$/m] },
    {
      command: "get pod web -n team --show-labels",
      prints: [/app=web,tier=front/],
    },
    {
      command: `patch pod web -n team --subresource=status --type=merge -p '{"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}],"containerStatuses":[{"name":"main","ready":true,"restartCount":0,"image":"nginx:1.29","imageID":"","state":{"running":{}}}]}}'`,
      prints: [/^pod\/web patched$/m],
    },
    {
      command: "wait --for=condition=Ready pod/web -n team --timeout=300s",
      prints: [/^pod\/web condition met$/m],
    },
    {
      command: "wait --for=jsonpath={.status.phase}=Running pod/web -n team --timeout=300s",
      prints: [/condition met/],
    },
    {
      command: "wait --for=condition=Never pod/web -n team --timeout=1s",
      fails: /timed out waiting/,
    },
    { command: "get pods -n team", prints: [/^web +1\/1 +Running +0 +\d+\w/m] },
    {
      command: `patch pod web -n team --type=json -p '[{"op":"add","path":"/metadata/labels/zone","value":"a"}]'`,
      prints: [/^pod\/web patched$/m],
    },
    { command: "apply -f settings.yaml", prints: [/^configmap\/settings created$/m] },
    { command: "apply -f settings.yaml", prints: [/^configmap\/settings unchanged$/m] },
    { command: "get configmap settings -n team", prints: [/^settings +2 +\d+\w/m] },
    { command: "replace -f settings-red.yaml", prints: [/^configmap\/settings replaced$/m] },
    {
      command: "get configmap settings -n team -o jsonpath={.data}",
      prints: [/^{"color":"red"}$/],
    },
    {
      command: "describe configmap settings -n team",
      prints: [/^Name: +settings$/m, /^color:\n----\nred$/m],
    },
    { command: "create -f deployment.yaml", prints: [/^deployment\.apps\/api created$/m] },
    {
      command: "get deployments -n team",
      prints: [/^NAME +READY +UP-TO-DATE +AVAILABLE +AGE$/m, /^api +0\/2 +0 +0 +\d+\w/m],
    },
    {
      command: "scale deployment api -n team --replicas=5",
      prints: [/^deployment\.apps\/api scaled$/m],
    },
    {
      command: "scale deployment api -n team --replicas=5 --current-replicas=1",
      fails: /Expected replicas to be 1, was 5/,
    },
    { command: "get deployment api -n team -o jsonpath={.spec.replicas}", prints: [/^5$/] },
    {
      command: "describe deployment api -n team",
      prints: [/^Name: +api$/m, /^Replicas: +5 desired/m],
    },
    { command: "get all -n team", prints: [/^pod\/web /m, /^deployment\.apps\/api /m] },
    { command: "explain pods", prints: [/^KIND: +Pod$/m, /^VERSION: +v1$/m, /^ {2}spec\s/m] },
    { command: "explain pods.spec", prints: [/^ {2}containers\s/m] },
    { command: "explain deployment.spec.replicas", prints: [/^FIELD: replicas <integer>$/m] },
    { command: "create -f widgets-crd.yaml", prints: [/widgets\.example\.com created$/m] },
    {
      command: "wait --for=condition=Established crd/widgets.example.com --timeout=300s",
      prints: [/condition met/],
    },
    {
      command: "get crd",
      prints: [/^widgets\.example\.com +Namespaced +v1\(storage\) +\d{4}-\d\d-\d\dT/m],
    },
    {
      command: "api-resources --api-group=example.com",
      prints: [/^widgets +wd +example\.com\/v1 +true +Widget$/m],
    },
    { command: "apply -f widget.yaml", prints: [/^widget\.example\.com\/first created$/m] },
    {
      command: "apply -f widget-green.yaml",
      prints: [/^widget\.example\.com\/first configured$/m],
    },
    {
      command: "get wd -n team",
      prints: [/^NAME +COLOR +AGE$/m, /^first +green +\d+\w/m],
    },
    {
      command: "create -f widget-wrong.yaml",
      fails: /spec\.color: Unsupported value: "purple": supported values: "red", "green", "blue"/,
    },
    {
      command: "create -f widget-typo.yaml",
      fails: /strict decoding error: unknown field "spec\.colour"/,
    },
    {
      command: "create -f widget-typo.yaml --validate=warn",
      prints: [/^widget\.example\.com\/second created$/m],
    },
    {
      command: "get widgets -n team -o name",
      prints: [/^widget\.example\.com\/first\nwidget\.example\.com\/second\n$/],
    },
    { command: "get widgets -n team --chunk-size=1 -o name", prints: [/first\n.*second\n$/] },
    {
      command: "scale widget first -n team --replicas=3",
      prints: [/^widget\.example\.com\/first scaled$/m],
    },
    { command: "get widget first -n team -o jsonpath={.spec.replicas}", prints: [/^3$/] },
    {
      command: "explain widgets.spec.color",
      prints: [/^KIND: +Widget$/m, /Color of the widget\./],
    },
    { command: "describe widget first -n team", prints: [/^Name: +first$/m, /Color: +green$/m] },
    { command: "delete widget --all -n team", prints: [/"first" deleted/, /"second" deleted/] },
    { command: "wait --for=delete widget/first -n team --timeout=300s" },
    { command: "delete -f widgets-crd.yaml", prints: [/"widgets\.example\.com" deleted/] },
    {
      command: "get widgets -n team",
      fails:
        /the server (doesn't have a resource type "widgets"|could not find the requested resource)/,
    },
    { command: "delete pod web -n team", prints: [/pod "web" deleted/] },
    { command: "delete pod web -n team --ignore-not-found", lacks: [/deleted/] },
    { command: "delete namespace team", prints: [/namespace "team" deleted/] },
    { command: "get configmaps -n team", prints: [/^$/] },
  ],
};

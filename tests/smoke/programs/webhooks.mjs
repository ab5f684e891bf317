// Plain JavaScript with the installed package, no test runner or types.
import { mutating, routeWebhooks } from "@listwatch/webhooks";

const fail = (message) => {
  throw new Error(`smoke: ${message}`);
};

const maps = { group: "", version: "v1", resource: "configmaps", kind: "ConfigMap" };
const router = routeWebhooks([
  mutating(maps, (review) => {
    review.object.data = { reviewed: "yes" };
  }),
]);
const request = {
  uid: "1",
  kind: { group: "", version: "v1", kind: "ConfigMap" },
  resource: { group: "", version: "v1", resource: "configmaps" },
  operation: "CREATE",
  userInfo: { username: "ann", groups: [] },
  object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "b" } },
  oldObject: null,
};
const review = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request };
const answer = await router(
  new Request("https://localhost/mutate/v1/configmaps?timeout=10s", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(review),
  }),
);
const { response } = await answer.json();
if (response.uid !== "1" || !response.allowed) fail(JSON.stringify(response));
const patch = atob(response.patch);
if (patch !== '[{"op":"add","path":"/data","value":{"reviewed":"yes"}}]') fail(patch);
console.log("ok");

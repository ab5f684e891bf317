import { FieldSelector, fieldOf, InvalidSelectorError, LabelSelector } from "listwatch";

const pods: { name: string; labels: Record<string, string>; node: string }[] = [
  { name: "web-1", labels: { app: "web", tier: "prod" }, node: "n2" },
  { name: "web-2", labels: { app: "web", tier: "test" }, node: "n1" },
  { name: "api-1", labels: { app: "api" }, node: "n1" },
];

const labels = LabelSelector.parse("app in (web, api), tier != test");
const chosen = pods.filter((pod) => labels.matches(pod.labels));
console.log(chosen.map((pod) => pod.name).join(" "));

const fields = FieldSelector.parse("node=n1");
const onNode = pods.filter((pod) => fields.matches((path) => fieldOf(pod, path)));
console.log(onNode.map((pod) => pod.name).join(" "));

try {
  LabelSelector.parse("app in (web");
} catch (error) {
  if (!(error instanceof InvalidSelectorError)) throw error;
  console.log(error.code, "at", error.position);
}

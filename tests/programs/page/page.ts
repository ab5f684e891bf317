// A page without a backend: deployments with their pods, and a banner while the server is away.
//
// Errors of the former types, for the uid and the sort by name: "TS2322: Type 'string | undefined'
// is not assignable to type 'string'", "TS18048: 'a.metadata.name' is possibly 'undefined'".
import {
  conditionOf,
  isPodReady,
  isRolledOut,
  labelSelectorOf,
  SharedInformerFactory,
  type Cached,
  type Connection,
} from "listwatch";
import { deployments, type Deployment } from "listwatch/resources/apps/v1";
import { pods, type Pod } from "listwatch/resources/core/v1";

/** Renders into an element, once a frame after changes, until the page is disposed. */
export async function openPage(
  root: HTMLElement,
  connection: Connection,
): Promise<AsyncDisposable> {
  // The banner shows what the console would.
  const factory = new SharedInformerFactory({ connection, informers: { onError: () => change() } });
  const deploymentInformer = factory.informer(deployments);
  const podInformer = factory.informer(pods, { fields: ["metadata.labels", "status"] });

  const podsOf = ({ metadata, spec }: Cached<Deployment>) =>
    podInformer.lister
      .namespace(metadata.namespace)
      .list({ labelSelector: labelSelectorOf(spec.selector) })
      .toSorted((a, b) => a.metadata.name.localeCompare(b.metadata.name));

  const sectionOf = (deployment: Cached<Deployment>): HTMLElement => {
    const section = document.createElement("section");
    section.id = deployment.metadata.uid;
    const title = document.createElement("h2");
    title.textContent = titleOf(deployment);
    const list = document.createElement("ul");
    list.append(...podsOf(deployment).map((pod) => itemOf(pod.metadata.name, pod.status)));
    section.append(title, list);
    return section;
  };

  const render = (): void => {
    const { problem } = podInformer.status();
    const sections = deploymentInformer.store.list().map(sectionOf);
    if (problem === undefined) root.replaceChildren(...sections);
    else root.replaceChildren(`Reconnecting (${problem.reason})`, ...sections);
  };
  let frame = 0;
  const change = (): void => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(render);
  };
  const handler = { onAdd: change, onUpdate: change, onDelete: change };
  deploymentInformer.addEventHandler(handler);
  podInformer.addEventHandler(handler);
  factory.start();
  await factory.waitForCacheSync();
  render();
  // Nothing is called when a problem is over.
  const timer = setInterval(change, 1000);
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await factory[Symbol.asyncDispose]();
      cancelAnimationFrame(frame);
    },
  };
}

function titleOf(deployment: Cached<Deployment>): string {
  const { name, namespace } = deployment.metadata;
  if (isRolledOut(deployment)) return `${namespace}/${name}: rolled out`;
  return `${namespace}/${name}: ${conditionOf(deployment, "Progressing")?.message ?? "waiting"}`;
}

function itemOf(name: string, status: Cached<Pod>["status"]): HTMLElement {
  const item = document.createElement("li");
  item.textContent = `${name} ${isPodReady({ status }) ? "ready" : (status.phase ?? "")}`;
  return item;
}

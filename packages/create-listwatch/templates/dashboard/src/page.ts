// The page: a list of pods for each node, rendered once a frame after changes.
import { followCollections, rowsOf } from "./table.ts";

const collections = followCollections("stream");
const root = document.querySelector("main") ?? document.body;

function render(): void {
  const { problem } = collections.pods.status();
  const sections = rowsOf(collections).map(({ node, pods }) => {
    const title = document.createElement("h2");
    title.textContent = node;
    const list = document.createElement("ul");
    for (const text of pods) list.append(itemOf(text));
    const section = document.createElement("section");
    section.append(title, list);
    return section;
  });
  root.replaceChildren(problem === undefined ? "" : `Not current: ${problem.reason}`, ...sections);
}

function itemOf(text: string): HTMLElement {
  const item = document.createElement("li");
  item.textContent = text;
  return item;
}

let frame = 0;
function change(): void {
  cancelAnimationFrame(frame);
  frame = requestAnimationFrame(render);
}
collections.pods.addEventHandler({ onAdd: change, onUpdate: change, onDelete: change });
// Nothing is called when only time passes.
setInterval(change, 1000);
void collections.run();

/** The packages that the programs of the site import from. */
type Packages = "listwatch" | "layers";

const storageKey = "listwatch-packages";
const labels: Readonly<Record<Packages, string>> = {
  listwatch: "listwatch",
  layers: "single layers",
};

function chosenPackages(): Packages {
  return document.documentElement.dataset["packages"] === "layers" ? "layers" : "listwatch";
}

/** Puts the two buttons of the choice at the start of an element. */
function addPackageChoice(parent: Element): void {
  const group = document.createElement("div");
  group.className = "package-choice not-content";
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", "Packages of the program");
  for (const [packages, label] of Object.entries(labels)) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset["choose"] = packages;
    button.textContent = label;
    button.addEventListener("click", () => {
      choose(packages as Packages);
      store(packages);
    });
    group.append(button);
  }
  parent.prepend(group);
  markButtons(group);
}

/** Adds the choice to every program that has two forms, and shows the remembered form. */
export function startPackageChoice(): void {
  choose(stored());
  for (const block of document.querySelectorAll("[data-has-layers]")) {
    const head = block.closest("live-example")?.querySelector(".head");
    const container = head ?? block.closest(".expressive-code");
    if (container !== null) addPackageChoice(container);
  }
  addEventListener("storage", ({ key }) => {
    if (key === storageKey) choose(stored());
  });
}

function choose(packages: Packages): void {
  if (packages === chosenPackages()) return;
  document.documentElement.dataset["packages"] = packages;
  markButtons(document);
  // The button next to a block copies what the block shows.
  for (const copy of document.querySelectorAll<HTMLElement>("button[data-other-code]")) {
    const { code = "", otherCode = "" } = copy.dataset;
    Object.assign(copy.dataset, { code: otherCode, otherCode: code });
  }
  // Live examples listen.
  document.dispatchEvent(new Event("packages"));
}

function markButtons(parent: ParentNode): void {
  for (const button of parent.querySelectorAll<HTMLElement>("button[data-choose]")) {
    const isChosen = button.dataset["choose"] === chosenPackages();
    button.setAttribute("aria-pressed", String(isChosen));
  }
}

// A browser that refuses storage throws: then the choice holds for the page alone.
function stored(): Packages {
  try {
    return localStorage.getItem(storageKey) === "layers" ? "layers" : "listwatch";
  } catch {
    return "listwatch";
  }
}

function store(packages: string): void {
  try {
    localStorage.setItem(storageKey, packages);
  } catch {
    // See above.
  }
}

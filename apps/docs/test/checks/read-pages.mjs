/**
 * The content of each written page, as it was built, for the checks of several groups: without
 * scripts and styles a page opens in a fraction of the time. Each page is opened once, when the
 * first group asks.
 */
export function pageReader({ goto, openPage, written }) {
  let pages;
  const readAll = async () => {
    // Requests that are aborted are errors on the console. Other checks open the same pages whole.
    const page = await openPage({ width: 1280, height: 900, javaScriptEnabled: false }, []);
    await page.route("**", (route) =>
      route.request().resourceType() === "document" ? route.continue() : route.abort(),
    );
    const found = new Map();
    for (const path of written) {
      await goto(page, path);
      found.set(path, await page.locator("main").evaluate(contentOf));
    }
    await page.context().close();
    return found;
  };
  return () => (pages ??= readAll());
}

/**
 * Runs in a page. `figures` and `otherText` are of the parts that show figures, `hidden` is what
 * neither readers nor the scripts of the page show.
 */
function contentOf(main) {
  const textsOf = (selector) =>
    [...main.querySelectorAll(selector)].map(({ textContent }) => textContent);
  const sections = [...main.querySelectorAll(".numbers, .comparison, .peers")];
  const figuresOf = (section) => [...section.querySelectorAll("[data-figure]")];
  const withoutFigures = (section) => {
    const copy = section.cloneNode(true);
    for (const figure of figuresOf(copy)) figure.remove();
    return copy.textContent;
  };
  const controls = "live-example *, [role='tabpanel'], [role='tabpanel'] *";
  return {
    blocks: textsOf(".expressive-code pre"),
    text: main.innerText,
    figures: sections
      .flatMap(figuresOf)
      .map(({ dataset, textContent }) => [dataset["figure"], textContent.trim()]),
    otherText: sections.map(withoutFigures).join("\n"),
    hidden: textsOf(`[hidden]:not(${controls})`),
  };
}

import type { ServerState } from "./server-observer.ts";

/** Shows the fake servers of a program: their objects, open watches and last requests. */
export class ServerPane {
  readonly #element: HTMLElement;

  constructor(element: HTMLElement) {
    this.#element = element;
  }

  clear(): void {
    this.#element.hidden = true;
    this.#element.replaceChildren();
  }

  show(servers: readonly ServerState[]): void {
    this.#element.hidden = servers.length === 0;
    const parts = servers.flatMap((server, index) => {
      const number = servers.length === 1 ? "" : ` ${index + 1}`;
      return this.#parts(server, number);
    });
    this.#element.replaceChildren(...parts);
  }

  #parts(server: ServerState, number: string): HTMLElement[] {
    const { objectCount, objects, requestCount, requests, revision, watches } = server;
    const hidden = objectCount - objects.length;
    return [
      this.#node("p", `Fake API server${number}, revision ${revision}`, "title"),
      this.#table(
        `Objects: ${objectCount}${hidden > 0 ? `, the newest ${objects.length}` : ""}`,
        ["Kind", "Name", "Version"],
        objects.map(({ kind, name, resourceVersion }) => [kind, name, String(resourceVersion)]),
      ),
      this.#table(
        `Open watches: ${watches.length}`,
        ["Watch", "Resource", "Sent"],
        watches.map(({ id, resource, sentRevision }) => [id, resource, String(sentRevision)]),
      ),
      this.#table(
        `Requests: ${requestCount}, the last first`,
        ["Status", "Request"],
        requests.map(({ status, text }) => [status, text]),
      ),
    ];
  }

  #table(
    caption: string,
    columns: readonly string[],
    rows: readonly (readonly string[])[],
  ): HTMLElement {
    const table = this.#node("table");
    table.append(this.#node("caption", caption));
    if (rows.length === 0) return table;
    const heads = columns.map((column) => {
      const cell = this.#node("th", column);
      cell.setAttribute("scope", "col");
      return cell;
    });
    const body = rows.map((cells) => this.#row(cells.map((cell) => this.#node("td", cell))));
    table.append(this.#row(heads), ...body);
    return table;
  }

  #row(cells: readonly HTMLElement[]): HTMLElement {
    const row = this.#node("tr");
    row.append(...cells);
    return row;
  }

  #node(name: string, text = "", className = ""): HTMLElement {
    const element = this.#element.ownerDocument.createElement(name);
    element.textContent = text;
    if (className !== "") element.className = className;
    return element;
  }
}

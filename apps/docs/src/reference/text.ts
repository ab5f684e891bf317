import { type Comment, type CommentDisplayPart, Reflection, type SomeType } from "typedoc";
import type { Addresses } from "./addresses.ts";
import type { Page } from "./pages.ts";

/** Writes the types and comments that one page shows, with links. */
export class PageText {
  readonly page: Page;
  readonly addresses: Addresses;

  constructor(page: Page, addresses: Addresses) {
    this.page = page;
    this.addresses = addresses;
  }

  /** A type as HTML. */
  type(type: SomeType | undefined): string {
    return type === undefined ? "" : this.code(type.toString());
  }

  /** TypeScript as HTML, in which each name of a known type but `own` is a link. */
  code(text: string, own?: string): string {
    return text.replaceAll(
      /"(?:[^"\\]|\\.)*"|(?<![.\w$])([A-Z][\w$]*)(?!\??:)\b|[&<>]/g,
      (all: string, name?: string) => {
        const href = name === own ? undefined : name && this.addresses.ofName(name, this.page);
        return href ? `<a href="${href}">${all}</a>` : escapeText(all);
      },
    );
  }

  /** A comment as Markdown. */
  comment(parts: readonly CommentDisplayPart[] | undefined): string {
    return (parts ?? [])
      .map((part) => this.#part(part))
      .join("")
      .trim();
  }

  /** The text of a block tag such as `@returns`. */
  tag(comment: Comment | undefined, tag: `@${string}`): string {
    return this.comment(comment?.getTag(tag)?.content);
  }

  #part(part: CommentDisplayPart): string {
    if (part.kind !== "inline-tag") return part.text;
    const { target, text } = part;
    const href =
      typeof target === "string"
        ? target
        : target instanceof Reflection
          ? this.addresses.of(target)
          : this.addresses.ofName(text, this.page);
    const name = /^[\w.]+(\(\))?$/.test(text) ? `\`${text}\`` : text;
    return href === undefined ? name : `[${name}](${href})`;
  }
}

/** Text for the content of an element. */
export function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

import type { JsonObject } from "@listwatch/core-fifo/base";
import type { CrdNames } from "./crd-object.ts";

/** Decision of the naming controller about a definition's names. */
export interface NameDecision {
  /** Value of `status.acceptedNames`. */
  readonly names: JsonObject;
  /** The reason a name is refused; undefined if all are accepted. */
  readonly conflict: { readonly reason: string; readonly message: string } | undefined;
}

/**
 * Compares the requested names with the accepted names of other definitions in the group. A
 * definition keeps the names it has (apiextensions-apiserver naming_controller.go).
 *
 * @param others accepted names of the other definitions in the group
 */
export function decideNames(requested: CrdNames, others: readonly CrdNames[]): NameDecision {
  const resources = new Set(
    others.flatMap(({ plural, shortNames, singular }) => [plural, singular, ...shortNames]),
  );
  const kinds = new Set(others.flatMap(({ kind, listKind }) => [kind, listKind]));
  const names: Record<string, unknown> = { plural: "", kind: "" };
  let conflict: NameDecision["conflict"];
  const accept = (field: keyof CrdNames, taken: ReadonlySet<string>, reason: string): void => {
    const wanted = [requested[field]].flat();
    const used = wanted.filter((name) => taken.has(name));
    if (used.length === 0) {
      if (wanted.length > 0) names[field] = requested[field];
      return;
    }
    const texts = used.map((name) => `${JSON.stringify(name)} is already in use`);
    conflict = { reason, message: texts.length === 1 ? texts.join("") : `[${texts.join(", ")}]` };
  };
  accept("plural", resources, "PluralConflict");
  accept("singular", resources, "SingularConflict");
  accept("shortNames", resources, "ShortNamesConflict");
  accept("kind", kinds, "KindConflict");
  accept("listKind", kinds, "ListKindConflict");
  if (requested.categories.length > 0) names["categories"] = requested.categories;
  return { names, conflict };
}

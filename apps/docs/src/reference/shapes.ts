import {
  type CommentDisplayPart,
  type DeclarationReflection,
  ReflectionKind,
  type SomeType,
} from "typedoc";
import { propertiesOf, targetOf } from "./options.ts";

/** One of the forms that an object of a union type can have. */
export interface Shape {
  /** Types that the form consists of. */
  readonly types: readonly DeclarationReflection[];
  readonly summary: readonly CommentDisplayPart[];
  readonly members: readonly DeclarationReflection[];
}

/** The forms of a union of object types, or `undefined` for a type of another kind. */
export function shapesOf(type: SomeType | undefined): readonly Shape[] | undefined {
  const shapes = read(type);
  return shapes !== undefined &&
    shapes.length > 1 &&
    shapes.every((shape) => literalsOf(shape).length > 0)
    ? shapes
    : undefined;
}

/** Members that tell a shape from others, such as `type: "add"`; those that all have come first. */
export function literalsOf(
  shape: Shape,
  all: readonly Shape[] = [],
): readonly DeclarationReflection[] {
  const uses = (name: string): number =>
    all.filter(({ members }) => members.some((member) => member.name === name)).length;
  return shape.members
    .filter(({ type }) => type?.type === "literal")
    .toSorted((a, b) => uses(b.name) - uses(a.name));
}

function read(type: SomeType | undefined): readonly Shape[] | undefined {
  if (type?.type === "union") {
    const summaries = type.elementSummaries;
    return joined(
      type.types.map((part, index) =>
        read(part)?.map(({ members, summary, types }) => {
          const own = summaries?.[index] ?? [];
          return { types, summary: own.length > 0 ? own : summary, members };
        }),
      ),
      (all, part) => [...all, ...part],
      [],
    );
  }
  if (type?.type === "intersection") {
    const none: Shape = { types: [], summary: [], members: [] };
    return joined(
      type.types.map((part) => read(part)),
      (all, part) => all.flatMap((left) => part.map((right) => merge(left, right))),
      [none],
    );
  }
  const target = targetOf(type);
  const types = target === undefined ? [] : [target];
  if (target?.kind === ReflectionKind.TypeAlias) {
    return read(target.type)?.map((shape) => merge({ types, summary: [], members: [] }, shape));
  }
  const members = propertiesOf(type);
  return members && [{ types, summary: target?.comment?.summary ?? [], members }];
}

function joined(
  parts: readonly (readonly Shape[] | undefined)[],
  join: (all: readonly Shape[], part: readonly Shape[]) => readonly Shape[],
  first: readonly Shape[],
): readonly Shape[] | undefined {
  return parts.reduce<readonly Shape[] | undefined>(
    (all, part) => (all === undefined || part === undefined ? undefined : join(all, part)),
    first,
  );
}

function merge(left: Shape, right: Shape): Shape {
  const names = new Set(right.members.map(({ name }) => name));
  return {
    types: [...left.types, ...right.types],
    summary: left.summary.length > 0 ? left.summary : right.summary,
    members: [...left.members.filter(({ name }) => !names.has(name)), ...right.members],
  };
}

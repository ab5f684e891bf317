import {
  type DeclarationReflection,
  type ReferenceType,
  type Reflection,
  ReflectionKind,
  type SomeType,
} from "typedoc";

const optionsName = /(Options|Config|Credentials|Defaults|Limits|Selection|Settings|Telemetry)$/;

/** Options that belong together as the value of one option. */
export interface Group {
  readonly type: DeclarationReflection;
  readonly members: readonly DeclarationReflection[];
}

/** Whether a type consists of options that a caller chooses. */
export function isOptions(reflection: Reflection): boolean {
  return (
    reflection.kindOf(ReflectionKind.Interface | ReflectionKind.TypeAlias) &&
    optionsName.test(reflection.name)
  );
}

/** Options types of the parameters of a function, method or constructor. */
export function optionsOf({
  signatures = [],
}: DeclarationReflection): readonly DeclarationReflection[] {
  return signatures
    .flatMap(({ parameters = [] }) => parameters)
    .map(({ type }) => targetOf(type))
    .filter((target) => target !== undefined)
    .filter((target) => isOptions(target));
}

/** The declaration that a type refers to by name, if it is public. */
export function targetOf(type: SomeType | undefined): DeclarationReflection | undefined {
  return type?.type === "reference"
    ? (type.reflection as DeclarationReflection | undefined)
    : undefined;
}

/** Properties of an object type, or `undefined` for other types and those with methods. */
export function propertiesOf(
  type: SomeType | undefined,
): readonly DeclarationReflection[] | undefined {
  if (type?.type === "intersection") {
    const parts = type.types.map((part) => propertiesOf(part));
    return parts.includes(undefined) ? undefined : parts.flatMap((part) => part!);
  }
  if (type?.type === "reflection") return onlyProperties(type.declaration);
  if (type?.type !== "reference") return undefined;
  if (type.name === "Pick" || type.name === "Omit") return selectedProperties(type);
  const target = targetOf(type);
  return target?.kind === ReflectionKind.TypeAlias
    ? propertiesOf(target.type)
    : target && onlyProperties(target);
}

/** Members of an option that are options themselves, such as those of `cache`, with their type. */
export function groupOf(option: DeclarationReflection): Group | undefined {
  const parts = option.type?.type === "union" ? option.type.types : [option.type];
  const candidates = parts.filter((part) => {
    const target = targetOf(part);
    return target !== undefined && (parts.length === 1 || isOptions(target));
  });
  const type = targetOf(candidates[0]);
  const members = propertiesOf(candidates[0]);
  if (candidates.length > 1 || type === undefined || members === undefined) return undefined;
  if (type.name.endsWith("Metrics")) return undefined;
  const areOptional = members.every(({ flags }) => flags.isOptional);
  return areOptional || isOptions(type) ? { type, members } : undefined;
}

function onlyProperties(
  reflection: DeclarationReflection,
): readonly DeclarationReflection[] | undefined {
  if (reflection.signatures !== undefined || reflection.children === undefined) return undefined;
  const areProperties = reflection.children.every(({ kind }) => kind === ReflectionKind.Property);
  return areProperties ? reflection.children : undefined;
}

function selectedProperties(type: ReferenceType): readonly DeclarationReflection[] | undefined {
  const [from, names] = type.typeArguments!;
  const literals = (names!.type === "union" ? names.types : [names!]).map((name) =>
    name.type === "literal" ? name.value : undefined,
  );
  return propertiesOf(from)?.filter(
    ({ name }) => literals.includes(name) === (type.name === "Pick"),
  );
}

import * as fc from "fast-check";
import { recordOf } from "@listwatch/core-fifo/base";
import { serverOfThings, thing, things } from "../anything.ts";
import { checkSame, fuzzTarget, type AnyTarget } from "../target.ts";

const api = serverOfThings();
const contentType = "application/apply-patch+yaml";

/** Fields that all managers own: the spec itself, and one that keeps it from being removed. */
const common: ReadonlySet<string> = new Set([".", "f:all"]);

type Fields = Readonly<Record<string, number>>;

interface Application {
  readonly manager: string;
  readonly isForced: boolean;
  readonly fields: Fields;
}

/** Owners and values of the fields of a flat object, as a minimal model. */
class OwnershipModel {
  readonly values = new Map<string, number>();
  readonly owned = new Map<string, ReadonlySet<string>>();

  /** Returns whether it was accepted. */
  apply({ fields, isForced, manager }: Application): boolean {
    const last = this.owned.get(manager) ?? new Set();
    const others = [...this.owned].filter(([name]) => name !== manager);
    const changed = Object.keys(fields).filter((name) => this.values.get(name) !== fields[name]);
    const taken = (set: ReadonlySet<string>): boolean => changed.some((name) => set.has(name));
    if (!isForced && others.some(([, set]) => taken(set))) return false;
    for (const [name, set] of others) {
      this.owned.set(name, new Set([...set].filter((field) => !changed.includes(field))));
    }
    this.owned.set(manager, new Set(Object.keys(fields)));
    for (const [name, value] of Object.entries(fields)) this.values.set(name, value);
    for (const name of last) {
      if (![...this.owned.values()].some((set) => set.has(name))) this.values.delete(name);
    }
    return true;
  }
}

async function send({
  fields,
  isForced,
  manager,
}: Application): Promise<{ readonly isDone: boolean; readonly object: unknown }> {
  const answer = await api.fetch(`${things}/a?fieldManager=${manager}&force=${isForced}`, {
    method: "PATCH",
    headers: { "content-type": contentType },
    body: JSON.stringify(thing("a", { ...fields, all: 0 })),
  });
  const text = await answer.text();
  if (!answer.ok && answer.status !== 409) throw new Error(`answered ${answer.status}: ${text}`);
  return { isDone: answer.ok, object: JSON.parse(text) };
}

function ownersOf(object: unknown): Readonly<Record<string, readonly string[]>> {
  const { managedFields } = recordOf(recordOf(object)["metadata"]);
  const entries: readonly unknown[] = Array.isArray(managedFields) ? managedFields : [];
  return Object.fromEntries(
    entries.map((entry) => {
      const { fieldsV1, manager } = recordOf(entry);
      const names = Object.keys(recordOf(recordOf(fieldsV1)["f:spec"]));
      return [String(manager), names.filter((name) => !common.has(name)).toSorted()];
    }),
  );
}

async function check(applications: readonly Application[]): Promise<void> {
  const model = new OwnershipModel();
  try {
    for (const application of applications) {
      const { isDone, object } = await send(application);
      checkSame(isDone, model.apply(application), "whether it is applied");
      if (!isDone) continue;
      const { all: _all, ...spec } = recordOf(recordOf(object)["spec"]);
      checkSame(spec, Object.fromEntries(model.values), "the object");
      const owned = [...model.owned].map(([manager, set]) => [
        manager,
        [...set].map((name) => `f:${name}`).toSorted(),
      ]);
      checkSame(ownersOf(object), Object.fromEntries(owned), "the owners");
      checkSame((await send(application)).object, object, "the same apply again");
    }
  } finally {
    await (await api.fetch(`${things}/a`, { method: "DELETE" })).text();
  }
}

/** Applies by several managers, compared with a minimal model of ownership. */
export const apply: AnyTarget = fuzzTarget({
  name: "apply",
  inputs: fc.array(
    fc.record({
      manager: fc.constantFrom("one", "two", "three"),
      isForced: fc.boolean(),
      fields: fc.dictionary(fc.constantFrom("a", "b", "c", "d"), fc.nat(2), { maxKeys: 4 }),
    }),
    { minLength: 1, maxLength: 8 },
  ),
  check,
});

import type { Random } from "@listwatch/core-fifo/base";
import { chargeQuotas } from "../admission/resource-quota.ts";
import { timestamp } from "../base/server-clock.ts";
import type { Steps } from "../base/steps.ts";
import type { Result } from "../output/result.ts";
import { type FieldWriter, withEntries } from "../ownership/field-writer.ts";
import { randomNameSuffix, randomUuid } from "../base/random-text.ts";
import type { ApiObject, ApiObjectMeta } from "../api/api-object.ts";
import type { ResourceDefinition } from "../api/resource-definition.ts";
import {
  alreadyExists,
  generatedNameTaken,
  namespaceMismatch,
  plainServerError,
} from "../api/errors.ts";
import { rereadObject } from "../schema/conform-object.ts";
import type { ResourceStore } from "../storage/resource-store.ts";
import { type ObjectAddress, storageKey, type StoredObject } from "../storage/stored-object.ts";
import { withoutRepeatedOwners } from "../validation/owner-references.ts";
import { checkNewObject } from "./check-object.ts";
import { decodeObject } from "../input/decode-object.ts";
import { inStoredVersion, OvertakenError, runWrite } from "./run-write.ts";
import { updateWriter } from "./field-writers.ts";
import { checkNamespace } from "./namespaces.ts";
import type { ResourceRequest } from "./resource-request.ts";
import { uint64Complaint } from "./revisions.ts";
import type { ServerCore } from "./server-core.ts";
import { type ResourceWrite, warn, write } from "./write.ts";
import { checkWriteOptions } from "../input/write-options.ts";

// k8s.io/apiserver names.go: `maxGeneratedNameLength` without the five random characters.
const generatedPrefixLength = 58;
// k8s.io/apiserver store.go: `maxNameGenerationCreateAttempts`.
const generateAttempts = 8;

/** POST to a collection. */
export async function createObject(request: ResourceRequest): Promise<Result> {
  checkWriteOptions(request.info.query, "CreateOptions");
  const { body, core, info, warnings } = request;
  const object = await decodeObject(request, body, { query: info.query, warnings });
  const writer = await updateWriter(request, info, core.clock);
  const stored = await runWrite(() => insertObject(request, core, info, object, writer));
  return { type: "object", code: 201, stored };
}

/**
 * Stores a new object. Waits only for webhooks; nothing comes between looking and writing.
 *
 * @param address what the request names; the name may be ""
 * @param writer says who owns its fields
 * @throws {ApiError} for everything that is wrong with it
 */
export function* insertObject(
  target: ResourceWrite,
  core: ServerCore,
  address: ObjectAddress,
  given: ApiObject,
  writer: FieldWriter,
): Steps<StoredObject> {
  const { definition, store, strategy } = target;
  const sent = withoutRepeatedOwners(given, target.warnings, "");
  const { namespace } = address;
  checkNamespaceOf(definition, namespace, sent.metadata);
  const { name, taken } = chooseName(store, address, sent.metadata, core.random);
  const error = strategy.refuseCreate?.(definition, name);
  if (error !== undefined) throw error;
  if (definition.namespaced) checkNamespace(core, definition, namespace, name);
  const metadata: ApiObjectMeta = {
    ...clientMetadata(definition, sent.metadata),
    ...(name === "" ? {} : { name }),
    ...(namespace === "" ? {} : { namespace }),
    uid: randomUuid(core.random),
    creationTimestamp: timestamp(core.clock.now()),
    ...(definition.hasGeneration ? { generation: 1 } : {}),
  };
  const draft = { object: { ...sent, metadata }, name: sent.metadata.name ?? address.name };
  const object = yield* prepareObject(target, draft, writer);
  checkNewObject(target, object);
  warn(target, object, undefined);
  strategy.admit?.(object, undefined);
  if (target.admission !== undefined) {
    const { name: requested } = draft;
    const creation = {
      operation: "CREATE",
      object,
      oldObject: undefined,
      name: requested,
    } as const;
    yield* target.admission.validate(creation);
    if (strategy.checkAllocation?.(object, undefined, target.dryRun).length)
      throw new OvertakenError();
  }
  const charge = chargeQuotas({ ...target, object, stored: undefined });
  // The storage refuses it, which a dry run does not reach; an update that creates drops the
  // version.
  const hasRevision = namesRevision(sent.metadata) || namesRevision(object.metadata);
  if (!target.dryRun && address.name === "" && hasRevision) {
    throw plainServerError("resourceVersion should not be set on objects to be created");
  }
  if (taken) throw generatedNameTaken(definition, name);
  const kept = yield* inStoredVersion(target, object);
  const { name: finalName = "" } = object.metadata;
  const existing = store.get(storageKey(namespace, finalName));
  if (existing !== undefined) {
    // k8s.io/apiserver registry/rest, `CheckGeneratedNameError`: also for a given name.
    if (object.metadata.generateName !== undefined && object.metadata.generateName !== "") {
      throw generatedNameTaken(definition, finalName);
    }
    throw alreadyExists(definition, finalName, existing.isTerminating);
  }
  if (!target.dryRun) charge();
  return write(target, kept, undefined);
}

// A string that is not a number counts as absent: k8s.io/apiserver etcd3/store.go, `Create`.
function namesRevision({ resourceVersion = "" }: ApiObjectMeta): boolean {
  return uint64Complaint(resourceVersion) === undefined && /[1-9]/.test(resourceVersion);
}

// The object with its owners, as plugins and the resource itself want it.
function* prepareObject(
  { admission, definition, served, strategy, user, warnings }: ResourceWrite,
  draft: { readonly object: ApiObject; readonly name: string },
  writer: FieldWriter,
): Steps<ApiObject> {
  // Controllers set the status of a new object.
  const dropsStatus = served.status && strategy.keepsStatusOnCreate !== true;
  const bare = ({ status: _status, ...fields }: ApiObject): ApiObject => fields;
  const named = dropsStatus ? bare(draft.object) : draft.object;
  const owned = withEntries(named, writer.entriesAfter(undefined, undefined, named));
  const { name } = draft;
  let changed = owned;
  if (admission !== undefined) {
    const object = strategy.admitNew?.(owned) ?? owned;
    changed = yield* admission.admit({ operation: "CREATE", object, oldObject: undefined, name });
  }
  const suffix = " after mutating admission happens";
  const admitted = withoutRepeatedOwners(changed, warnings, suffix);
  const wanted = dropsStatus ? bare(admitted) : admitted;
  const prepared = strategy.prepareForCreate?.(wanted, user) ?? wanted;
  // Storages of custom resources fill in the defaults of the status when they are read.
  return definition.custom && dropsStatus ? rereadObject(prepared, served) : prepared;
}

/**
 * Compares the namespace of a body with the one of the address. A missing one is filled in later,
 * that of a cluster-scoped object is dropped.
 *
 * @throws {ApiError} 400
 */
export function checkNamespaceOf(
  definition: ResourceDefinition,
  namespace: string,
  metadata: ApiObjectMeta,
): void {
  const { namespace: sentNamespace = "" } = metadata;
  if (!definition.namespaced || sentNamespace === "") return;
  if (sentNamespace !== namespace) throw namespaceMismatch();
}

function chooseName(
  store: ResourceStore,
  address: ObjectAddress,
  metadata: ApiObjectMeta,
  random: Random,
): { readonly name: string; readonly taken: boolean } {
  const { generateName = "", name = address.name } = metadata;
  if (name !== "" || generateName === "") return { name, taken: false };
  const prefix = generateName.slice(0, generatedPrefixLength);
  let candidate = "";
  for (let attempt = 0; attempt < generateAttempts; attempt++) {
    candidate = prefix + randomNameSuffix(random);
    if (store.get(storageKey(address.namespace, candidate)) === undefined) {
      return { name: candidate, taken: false };
    }
  }
  return { name: candidate, taken: true };
}

// The metadata of a new object without the fields that only the server sets.
function clientMetadata(
  { custom, hasGeneration }: ResourceDefinition,
  metadata: ApiObjectMeta,
): ApiObjectMeta {
  const {
    creationTimestamp: _created,
    deletionGracePeriodSeconds: _grace,
    deletionTimestamp: _deleted,
    generation,
    name: _name,
    namespace: _namespace,
    resourceVersion: _version,
    selfLink: _link,
    uid: _uid,
    ...kept
  } = metadata;
  // Where nothing counts generations, the one that is sent stays.
  const isKept = generation !== undefined && generation !== 0 && !custom && !hasGeneration;
  return isKept ? { ...kept, generation } : kept;
}

import { wireType, type WireReader } from "../wire/wire-reader.ts";
import { setMember, type Members } from "./message-reader.ts";
import { readTime } from "./special-values.ts";

/**
 * Tags of apimachinery's ObjectMeta, pkg/apis/meta/v1/generated.proto: eight times the field
 * number, plus 2 if the value has a length. Written out, because this message is read for every
 * object.
 */
const tags = {
  name: 0x0a,
  generateName: 0x12,
  namespace: 0x1a,
  selfLink: 0x22,
  uid: 0x2a,
  resourceVersion: 0x32,
  generation: 0x38,
  creationTimestamp: 0x42,
  deletionTimestamp: 0x4a,
  deletionGracePeriodSeconds: 0x50,
  labels: 0x5a,
  annotations: 0x62,
  ownerReferences: 0x6a,
  finalizers: 0x72,
  managedFields: 0x8a,
} as const;

const ownerTags = {
  kind: 0x0a,
  name: 0x1a,
  uid: 0x22,
  apiVersion: 0x2a,
  controller: 0x30,
  blockOwnerDeletion: 0x38,
} as const;

const keyTag = 0x0a;
const valueTag = 0x12;

/** Position of `managedFields` in the bytes: a run of fields, each with its tag. */
export interface FieldRun {
  start: number;
  /** Equal to `start` if there are none. */
  end: number;
}

/** Metadata of an object in its JSON form. */
export interface ReadMetadata extends Members {
  name?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
}

/**
 * Reads the metadata of an object without `managedFields`, whose position it returns.
 *
 * @returns `undefined` if `managedFields` are not contiguous
 * @throws {WireError} if the bytes are malformed
 */
export function readMetadata(
  reader: WireReader,
  end: number,
  managedFields: FieldRun,
): ReadMetadata | undefined {
  const metadata: ReadMetadata = {};
  managedFields.start = managedFields.end = end;
  let hasManagedFields = false;
  reader.prepareTexts(startOfManagedFields(reader, end));
  while (reader.position < end) {
    const start = reader.position;
    const tag = reader.varint();
    if (tag === tags.managedFields) {
      if (hasManagedFields && start !== managedFields.end) return undefined;
      if (!hasManagedFields) managedFields.start = start;
      hasManagedFields = true;
      managedFields.end = reader.position = reader.delimitedEnd(end);
    } else readField(reader, tag, metadata, end);
  }
  reader.finish(end);
  return metadata;
}

/**
 * Returns the end of the strings that are needed at once: `managedFields` come last and are the
 * largest.
 */
function startOfManagedFields(reader: WireReader, end: number): number {
  const start = reader.position;
  let found = end;
  while (reader.position < end) {
    const position = reader.position;
    const tag = reader.varint();
    if (tag === tags.managedFields) {
      found = position;
      break;
    }
    reader.skip(tag, end);
  }
  reader.position = start;
  return found;
}

function readField(reader: WireReader, tag: number, metadata: ReadMetadata, end: number): void {
  if ((tag & 7) === wireType.delimited) {
    readDelimited(reader, tag, metadata, reader.delimitedEnd(end));
  } else if (tag === tags.generation) {
    const generation = reader.varint();
    if (generation !== 0) metadata["generation"] = generation;
  } else if (tag === tags.deletionGracePeriodSeconds) {
    metadata["deletionGracePeriodSeconds"] = reader.varint();
  } else reader.skipUnknown(tag, end);
}

function readDelimited(reader: WireReader, tag: number, metadata: ReadMetadata, end: number): void {
  switch (tag) {
    case tags.name:
      setText(metadata, "name", reader.ownText(end));
      break;
    case tags.generateName:
      setText(metadata, "generateName", reader.text(end));
      break;
    case tags.namespace:
      setText(metadata, "namespace", reader.text(end));
      break;
    case tags.selfLink:
      setText(metadata, "selfLink", reader.ownText(end));
      break;
    case tags.uid:
      setText(metadata, "uid", reader.ownText(end));
      break;
    case tags.resourceVersion:
      setText(metadata, "resourceVersion", reader.ownText(end));
      break;
    case tags.creationTimestamp: {
      const time = readTime(reader, end, 0);
      if (time !== null) metadata["creationTimestamp"] = time;
      break;
    }
    case tags.deletionTimestamp:
      metadata["deletionTimestamp"] = readTime(reader, end, 0);
      break;
    case tags.labels:
      readTextEntry(reader, mapOf(metadata, "labels"), end);
      break;
    case tags.annotations:
      readTextEntry(reader, mapOf(metadata, "annotations"), end);
      break;
    case tags.ownerReferences:
      addTo(metadata, "ownerReferences", readOwner(reader, end));
      break;
    case tags.finalizers:
      addTo(metadata, "finalizers", reader.text(end));
      break;
    default:
      reader.unknownFields++;
      reader.position = end;
  }
}

function setText(metadata: Members, name: string, text: string): void {
  if (text !== "") metadata[name] = text;
}

function mapOf(metadata: Members, name: string): Members {
  // Nothing else sets these two.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (metadata[name] ??= {}) as Members;
}

function addTo(metadata: Members, name: string, value: unknown): void {
  const list = metadata[name];
  // Most lists of metadata have one element; a growing one would have unused capacity.
  metadata[name] = Array.isArray(list) ? [...(list as unknown[]), value] : [value];
}

function readTextEntry(reader: WireReader, map: Members, end: number): void {
  let key = "";
  let value = "";
  while (reader.position < end) {
    const tag = reader.varint();
    if (tag === keyTag) key = reader.text(reader.delimitedEnd(end));
    else if (tag === valueTag) value = reader.text(reader.delimitedEnd(end));
    else reader.skip(tag, end);
  }
  reader.finish(end);
  setMember(map, key, value);
}

function readOwner(reader: WireReader, end: number): Members {
  const owner: Members = { apiVersion: "", kind: "", name: "", uid: "" };
  while (reader.position < end) {
    const tag = reader.varint();
    switch (tag) {
      case ownerTags.kind:
        owner["kind"] = reader.text(reader.delimitedEnd(end));
        break;
      case ownerTags.name:
        owner["name"] = reader.text(reader.delimitedEnd(end));
        break;
      case ownerTags.uid:
        owner["uid"] = reader.text(reader.delimitedEnd(end));
        break;
      case ownerTags.apiVersion:
        owner["apiVersion"] = reader.text(reader.delimitedEnd(end));
        break;
      case ownerTags.controller:
        owner["controller"] = reader.varint() !== 0;
        break;
      case ownerTags.blockOwnerDeletion:
        owner["blockOwnerDeletion"] = reader.varint() !== 0;
        break;
      default:
        reader.skipUnknown(tag, end);
    }
  }
  reader.finish(end);
  return owner;
}

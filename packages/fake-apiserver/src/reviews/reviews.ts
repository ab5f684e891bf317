import type { ApiObject } from "../api/api-object.ts";
import { apiVersionOf } from "../api/api-versions.ts";
import { methodNotAllowed, unknownPath } from "../api/errors.ts";
import type { FoundResource } from "../api/registry.ts";
import type { UserInfo } from "../api/access.ts";
import { timestamp } from "../base/server-clock.ts";
import { decodeObject } from "../input/decode-object.ts";
import type { RequestBody } from "../input/body.ts";
import type { RequestInfo } from "../input/request-info.ts";
import { checkWriteOptions } from "../input/write-options.ts";
import { negotiate } from "../output/negotiation.ts";
import { partialObjectMetadata } from "../output/partial-metadata.ts";
import { notAList } from "../output/respond.ts";
import { documentResponse } from "../output/result.ts";
import { withEntries } from "../ownership/field-writer.ts";
import { loadDecoder } from "../schema/object-decoder.ts";
import { updateWriter } from "../verbs/field-writers.ts";
import type { ServerCore } from "../verbs/server-core.ts";
import { reviewAccess, reviewLocalAccess, reviewOwnAccess } from "./access-review.ts";
import type { Review } from "./review.ts";
import { reviewRules, reviewSelf, reviewToken } from "./user-reviews.ts";

const reviews: Readonly<Record<string, Review>> = {
  LocalSubjectAccessReview: reviewLocalAccess,
  SelfSubjectAccessReview: reviewOwnAccess,
  SelfSubjectReview: reviewSelf,
  SelfSubjectRulesReview: reviewRules,
  SubjectAccessReview: reviewAccess,
  TokenReview: reviewToken,
};

/** A request that creates a review. */
export interface ReviewRequest {
  readonly core: Pick<ServerCore, "access" | "clock">;
  readonly info: RequestInfo;
  readonly user: UserInfo;
  readonly body: RequestBody;
  /** Collects texts for Warning headers. */
  readonly warnings: string[];
}

/** Answers a review. @throws {ApiError} if the request is invalid */
export async function answerReview(
  { body, core, info, user, warnings }: ReviewRequest,
  found: FoundResource,
): Promise<Response> {
  const { definition, served } = found;
  if (definition.namespaced !== (info.namespace !== "")) throw unknownPath();
  const review = reviews[definition.kind];
  if (info.name !== "" || review === undefined) throw unknownPath();
  if (info.verb !== "create") throw methodNotAllowed();
  checkWriteOptions(info.query, "CreateOptions");
  const format = negotiate(info, { protobuf: "objects", tables: false });
  const apiVersion = apiVersionOf(definition.group, served.name);
  const strategy = { decoder: () => loadDecoder(apiVersion, definition.kind) };
  const validation = { query: info.query, warnings };
  const decoded = await decodeObject({ ...found, strategy }, body, validation);
  const object = inNamespace(decoded, info.namespace);
  const { clock, access } = core;
  const now = timestamp(clock.now());
  const { transform } = format;
  if (transform?.kind === "PartialObjectMetadataList") throw notAList(found);
  const writer = await updateWriter(found, info, clock);
  const owned = withEntries(object, writer.entriesAfter(undefined, undefined, object));
  const answer = await review({ object: owned, user, namespace: info.namespace, access, now });
  const document = { ...owned, ...answer, kind: definition.kind, apiVersion };
  const view =
    transform === undefined ? document : partialObjectMetadata(document, transform.version);
  return documentResponse(info.request, 201, view, format);
}

// The namespace is that of the address, and none for reviews of the cluster.
function inNamespace(object: ApiObject, namespace: string): ApiObject {
  const { namespace: _sent, ...metadata } = object.metadata;
  return { ...object, metadata: namespace === "" ? metadata : { ...metadata, namespace } };
}

/**
 * Everything between a program and a Kubernetes API server: resources, errors, lists, watches and
 * writes over `fetch`.
 *
 * @module
 */
export { observeConnection, type ConnectionTelemetry } from "./http/observe-connection.ts";
export type {
  ClusterConfig,
  ExecConfig,
  OidcConfig,
  Impersonation,
  PemSource,
  UserCredentials,
} from "./credentials/cluster-config.ts";
export type { OidcTokenPair, OidcTokenStore } from "./credentials/cluster-config.ts";
export { createConnection, type ConnectionConfig } from "./connection/create-connection.ts";
export {
  resolveKubeconfig,
  type KubeconfigFile,
  type ResolveOptions,
} from "./connection/resolve-kubeconfig.ts";
export type {
  DiscoveredResource,
  GroupFailure,
  ResourceTable,
} from "./discovery/discovered-resource.ts";
export type { Discovery, TypeReference } from "./discovery/discovery.ts";
export { DecodeError, LazyTextError } from "./errors/decode-errors.ts";
export { ConfigError, CredentialsError, DroppedFieldsError } from "./errors/errors.ts";
export { isNetworkError, NetworkError, type NetworkErrorKind } from "./errors/network-error.ts";
export {
  isAlreadyExists,
  isConflict,
  isNotFound,
  isStatusError,
  isTooManyRequests,
  StatusError,
  type RefusedRequest,
  type StatusErrorOptions,
} from "./errors/status-error.ts";
export type { Status, StatusCause, StatusReason } from "./errors/status.ts";
export type { Connection, Encoding, FetchFunction } from "./http/connection.ts";
export type { ListProgress } from "./http/progress-limit.ts";
export type { ApiRequest, QueryParameters, UnaryRequest } from "./http/request.ts";
export type { Warning } from "./http/warnings.ts";
export type {
  AskedCollection,
  Codec,
  CodecOptions,
  Decoder,
  DecoderSettings,
  ListDecoder,
  ListDecoderOptions,
  ObjectForm,
  ObjectIdentity,
  ReuseFunction,
  WatchDecoder,
  WatchDecoderOptions,
} from "./json/decoder.ts";
export { countDroppedFields } from "./json/dropped-fields.ts";
export { jsonDecoder, type JsonDecoderOptions } from "./json/json-decoder.ts";
export {
  extractOwned,
  type ExtractOptions,
  type OwnedConfiguration,
} from "./resource/extract-owned.ts";
export { countLazyReads } from "./json/lazy-reads.ts";
export { InvalidNameError, type PathPart } from "./resource/invalid-name-error.ts";
export type {
  BookmarkEvent,
  ListMeta,
  ListOptions,
  ObjectEvent,
  ResourceVersionMatch,
  WatchErrorEvent,
  WatchEvent,
  WatchOptions,
} from "./resource/list-watch.ts";
export type {
  ApplyConfiguration,
  ApplyElement,
  DashedName,
  Draft,
  DraftMeta,
  Identity,
  ImpliedMember,
  KeyOf,
  NamedConfiguration,
  Replacement,
  StoredMeta,
  Wire,
  WireName,
  Written,
} from "./resource/object-forms.ts";
export type {
  JsonPatch,
  JsonPatchOperation,
  MergePatch,
  MergeValue,
  Patches,
  PatchOf,
  StrategicDirectives,
  StrategicElement,
  StrategicPatch,
  StrategicValue,
} from "./resource/patches.ts";
export type {
  FieldPath,
  FirstName,
  IdentityNames,
  Kept,
  KeptFields,
  NamesInPath,
  PartialObjectMetadata,
  PickedFields,
  PickedValue,
  Projected,
  ProjectedIdentity,
  RestOfNames,
} from "./resource/projected.ts";
export {
  defineResource,
  type Defaulted,
  type Resource,
  type ResourceReference,
  type ResourceTypes,
} from "./resource/resource.ts";
export { fnv1a64, shardRange, ShardSelector, type ShardKey } from "./resource/shard-selector.ts";
export {
  createClient,
  type Client,
  type ClientOptions,
  type NamespacedClient,
} from "./verbs/client.ts";
export {
  Collection,
  type CollectionOptions,
  type ListContext,
  type ListStream,
  type RequestContext,
} from "./verbs/collection.ts";
export type {
  ObjectList,
  AnyListOptions,
  ReadItemsOptions,
  ReadListOptions,
  WatchObjectsOptions,
} from "./verbs/list-reader.ts";
export type { LogOptions, LogStream } from "./verbs/pod-log.ts";
export type {
  ApplyOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  FieldValidation,
  PatchOptions,
  PatchType,
  RequestOptions,
  Selection,
  UpdateOptions,
  WriteOptions,
} from "./verbs/request-options.ts";
export type { CompletedWrite } from "./verbs/completed-write.ts";
export type { ResourceClient, SubresourceName, SubresourceOf } from "./verbs/resource-client.ts";
export type { IssuedToken, TokenBinding, TokenOptions } from "./verbs/service-account-token.ts";
export type { SubresourceBody, SubresourceClient } from "./verbs/subresource-client.ts";
export { allOf, anyOf, not, type ChangeFilter } from "./waiting/combine.ts";
export { hasCondition, isDeleted, isReady, type Condition } from "./waiting/conditions.ts";
export {
  hasLoadBalancer,
  isEstablished,
  isJobFinished,
  isPodReady,
  isPodRunning,
} from "./waiting/conditions-of-kinds.ts";
export { ensureDefinition, type EnsureDefinitionOptions } from "./waiting/ensure-definition.ts";
export { isRolledOut } from "./waiting/rollout.ts";
export {
  waitFor,
  WaitError,
  type WaitableInformer,
  type WaitForOptions,
} from "./waiting/wait-for.ts";
export type { HeaderFields, HeadersContext, HeadersSource } from "./http/headers.ts";

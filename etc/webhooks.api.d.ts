// index.ts
export type { ReviewKind, ReviewOperation, ReviewRequest, ReviewResource, ReviewUser, } from "./admission/admission-request.ts";
export { mutating, validating, type Reviewed } from "./admission/handlers.ts";
export type { AdmissionHandler, AdmissionRegistration, WebhookRule, } from "./admission/registration.ts";
export type { AllowOptions, DenyOptions, Review, ReviewBase } from "./admission/review.ts";
export type { WebhookHandlerOptions, MatchCondition, MutatingOptions, ValidatingOptions, WebhookRegistrationOptions, WebhookSelector, } from "./admission/webhook-options.ts";
export { applyWebhookConfigurations, webhookConfigurations, type ApplyConfigurationsOptions, type ConfigurationDraft, type DefinitionConversion, type WebhookConfigurationOptions, type WebhookConfigurations, } from "./configurations/configurations.ts";
export type { CertificateSource, ServingCertificate } from "./certificates/certificate-source.ts";
export { certificatesFromSecret, type SecretCertificateOptions, } from "./certificates/certificates-from-secret.ts";
export type { WebhookAddress, WebhookService } from "./configurations/client-config.ts";
export { conversion, convertedVersion, type ConversionHandler, type ConversionOptions, type ConvertedVersion, type VersionConversions, } from "./conversion/conversion.ts";
export type { ConversionRegistration } from "./conversion/converter.ts";
export { createJsonPatch } from "./patch/create-patch.ts";
export { BadReviewError } from "./review/bad-review-error.ts";
export { fromPlugin, type PluginObject, type PluginOptions, type PluginRequest, type PluginVerdict, type ReviewPlugin, } from "./routing/from-plugin.ts";
export { routeWebhooks, type WebhookHandler, type WebhookRouter, } from "./routing/route-webhooks.ts";

// admission/admission-request.ts
import type { JsonObject } from "@listwatch/core-fifo/base";
export type ReviewOperation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";
export interface ReviewUser {
    readonly username: string;
    readonly uid?: string | undefined;
    readonly groups: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}
export interface ReviewKind {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
}
export interface ReviewResource {
    readonly group: string;
    readonly version: string;
    readonly resource: string;
}
export interface ReviewRequest {
    readonly uid: string;
    readonly kind: ReviewKind;
    readonly resource: ReviewResource;
    readonly subResource?: string | undefined;
    readonly requestKind?: ReviewKind | undefined;
    readonly requestResource?: ReviewResource | undefined;
    readonly requestSubResource?: string | undefined;
    readonly name?: string | undefined;
    readonly namespace?: string | undefined;
    readonly operation: ReviewOperation;
    readonly userInfo: ReviewUser;
    readonly object: JsonObject | null;
    readonly oldObject: JsonObject | null;
    readonly dryRun?: boolean | undefined;
    readonly options?: JsonObject | null | undefined;
}

// admission/handlers.ts
import type { ResourceReference, SubresourceName, SubresourceOf } from "@listwatch/client";
import type { KubernetesObject, Scope } from "@listwatch/core-fifo";
import type { ReviewOperation } from "./admission-request.ts";
import type { AdmissionHandler, AdmissionRegistration } from "./registration.ts";
import type { Review } from "./review.ts";
import { type MutatingOptions, type ValidatingOptions } from "./webhook-options.ts";
export type Reviewed<T, Sub, Name> = [Name] extends [never] ? T : SubresourceOf<Sub, Name>;
export declare function validating<T = KubernetesObject, S extends Scope = Scope, Sub = unknown, const Op extends ReviewOperation = "CREATE" | "UPDATE", const Name extends SubresourceName<Sub> = never>(resource: ResourceReference<T, S, Sub>, review: (review: Review<Reviewed<T, Sub, Name>, Op>) => void | Promise<void>, options?: ValidatingOptions<Op, Name>): AdmissionHandler;
export declare function mutating<T = KubernetesObject, S extends Scope = Scope, Sub = unknown, const Op extends ReviewOperation = "CREATE" | "UPDATE", const Name extends SubresourceName<Sub> = never>(resource: ResourceReference<T, S, Sub>, review: (review: Review<Reviewed<T, Sub, Name>, Op>) => Reviewed<T, Sub, Name> | void | Promise<Reviewed<T, Sub, Name> | void>, options?: MutatingOptions<Op, Name>): AdmissionHandler;
export declare function plainJson(object: unknown): unknown;
export declare function withRegistration(answer: (request: Request) => Promise<Response>, path: string, registration: AdmissionRegistration): AdmissionHandler;
export declare function registrationOf(options: MutatingOptions): Omit<AdmissionRegistration, "name" | "rules" | "type">;

// admission/registration.ts
import type { ReviewOperation } from "./admission-request.ts";
import type { MutatingOptions, WebhookRegistrationOptions } from "./webhook-options.ts";
export interface WebhookRule {
    readonly operations: readonly (ReviewOperation | "*")[];
    readonly apiGroups: readonly string[];
    readonly apiVersions: readonly string[];
    readonly resources: readonly string[];
    readonly scope: "*" | "Cluster" | "Namespaced";
}
export interface AdmissionRegistration extends Omit<WebhookRegistrationOptions, "name" | "path"> {
    readonly type: "mutating" | "validating";
    readonly name: string;
    readonly rules: readonly WebhookRule[];
    readonly reinvocationPolicy?: MutatingOptions["reinvocationPolicy"];
}
export interface AdmissionHandler {
    (request: Request): Promise<Response>;
    readonly path: string;
    readonly registration: AdmissionRegistration;
}

// admission/webhook-options.ts
import { type Clock, type Log, type OptionCheck, type OptionsOf } from "@listwatch/core-fifo/base";
import type { ReviewOperation } from "./admission-request.ts";
export interface MatchCondition {
    readonly name: string;
    readonly expression: string;
}
export interface WebhookSelector {
    readonly matchLabels?: Readonly<Record<string, string>> | undefined;
    readonly matchExpressions?: readonly {
        readonly key: string;
        readonly operator: string;
        readonly values?: readonly string[] | undefined;
    }[] | undefined;
}
export interface WebhookRegistrationOptions {
    readonly name?: string | undefined;
    readonly path?: string | undefined;
    readonly failurePolicy?: "Fail" | "Ignore" | undefined;
    readonly sideEffects?: "None" | "NoneOnDryRun" | undefined;
    readonly matchConditions?: readonly MatchCondition[] | undefined;
    readonly objectSelector?: WebhookSelector | undefined;
    readonly namespaceSelector?: WebhookSelector | undefined;
    readonly timeoutSeconds?: number | undefined;
    readonly matchPolicy?: "Equivalent" | "Exact" | undefined;
}
export interface WebhookHandlerOptions {
    readonly maxBodyBytes?: number | undefined;
    readonly timeoutMarginMs?: number | undefined;
    readonly clock?: Clock | undefined;
    readonly onError?: ((error: unknown) => void) | undefined;
    readonly log?: Log | undefined;
}
export interface ValidatingOptions<Op extends ReviewOperation = ReviewOperation, Name extends string = string> extends WebhookRegistrationOptions, WebhookHandlerOptions {
    readonly operations?: readonly Op[] | undefined;
    readonly subresource?: Name | undefined;
}
export interface MutatingOptions<Op extends ReviewOperation = ReviewOperation, Name extends string = string> extends ValidatingOptions<Op, Name> {
    readonly reinvocationPolicy?: "IfNeeded" | "Never" | undefined;
}
export declare const defaultMaxBodyBytes: number;
export declare const defaultTimeoutMarginMs: number;
export declare const aPath: OptionCheck;
export declare const handlerTable: OptionsOf<WebhookHandlerOptions>;
export declare const validatingTable: OptionsOf<ValidatingOptions>;
export declare const mutatingTable: OptionsOf<MutatingOptions>;

// admission/review.ts
import type { StatusCause } from "@listwatch/client";
import type { Cached } from "@listwatch/core-fifo";
import { type MutableJsonObject } from "@listwatch/core-fifo/base";
import type { ReviewOperation, ReviewRequest, ReviewUser } from "./admission-request.ts";
export interface DenyOptions {
    readonly code?: number | undefined;
    readonly reason?: string | undefined;
    readonly causes?: readonly StatusCause[] | undefined;
}
export interface AllowOptions {
    readonly warnings?: readonly string[] | undefined;
    readonly auditAnnotations?: Readonly<Record<string, string>> | undefined;
}
export interface ReviewBase {
    readonly uid: string;
    readonly name: string;
    readonly namespace: string;
    readonly subresource: string;
    readonly user: ReviewUser;
    readonly dryRun: boolean;
    readonly options: Readonly<Record<string, unknown>>;
    readonly request: ReviewRequest;
    readonly signal: AbortSignal;
    allow(options?: AllowOptions): void;
    deny(message: string, options?: DenyOptions): void;
    warn(message: string): void;
    audit(key: string, value: string): void;
}
export type Review<T, Op extends ReviewOperation> = Op extends ReviewOperation ? ReviewBase & {
    readonly operation: Op;
    readonly object: Op extends "DELETE" ? null : Op extends "CONNECT" ? object : T;
    readonly oldObject: Op extends "UPDATE" | "DELETE" ? Cached<T> : null;
} : never;
export declare class Decision {
    #private;
    get isAllowed(): boolean;
    allow(options?: AllowOptions): void;
    deny(message: string, options?: DenyOptions): void;
    warn(message: string): void;
    audit(key: string, value: string): void;
    toResponse(): MutableJsonObject;
}
export interface OpenReview {
    readonly review: Review<unknown, ReviewOperation>;
    readonly decision: Decision;
}
export declare function openReview(request: ReviewRequest, signal: AbortSignal): OpenReview;

// configurations/configurations.ts
import type { Client } from "@listwatch/client";
import { type MutatingWebhookConfiguration, type ValidatingWebhookConfiguration } from "@listwatch/resources/admissionregistration.k8s.io/v1";
import { type CustomResourceConversion } from "@listwatch/resources/apiextensions.k8s.io/v1";
import type { WebhookHandler } from "../routing/route-webhooks.ts";
import { type WebhookAddress } from "./client-config.ts";
export interface WebhookConfigurationOptions extends WebhookAddress {
    readonly name: string;
    readonly excludedNamespaces?: readonly string[] | undefined;
    readonly labels?: Readonly<Record<string, string>> | undefined;
}
export interface DefinitionConversion {
    readonly name: string;
    readonly conversion: CustomResourceConversion;
}
export interface WebhookConfigurations {
    readonly mutating: ConfigurationDraft<MutatingWebhookConfiguration> | undefined;
    readonly validating: ConfigurationDraft<ValidatingWebhookConfiguration> | undefined;
    readonly conversions: readonly DefinitionConversion[];
}
export type ConfigurationDraft<T> = Omit<T, "metadata"> & {
    readonly metadata: {
        readonly name: string;
        readonly labels?: Record<string, string>;
    };
};
export declare function webhookConfigurations(handlers: readonly WebhookHandler[], options: WebhookConfigurationOptions): WebhookConfigurations;
export interface ApplyConfigurationsOptions {
    readonly fieldManager?: string | undefined;
}
export declare function applyWebhookConfigurations(client: Client, { conversions, mutating, validating }: WebhookConfigurations, options?: ApplyConfigurationsOptions): Promise<void>;

// routing/route-webhooks.ts
import type { AdmissionHandler } from "../admission/registration.ts";
import type { ConversionHandler } from "../conversion/conversion.ts";
export type WebhookHandler = AdmissionHandler | ConversionHandler;
export interface WebhookRouter {
    (request: Request): Promise<Response>;
    readonly handlers: readonly WebhookHandler[];
}
export declare function routeWebhooks(handlers: readonly WebhookHandler[]): WebhookRouter;

// conversion/conversion.ts
import type { ResourceReference } from "@listwatch/client";
import type { KubernetesObject } from "@listwatch/core-fifo";
import { type WebhookHandlerOptions } from "../admission/webhook-options.ts";
import { type ConversionRegistration } from "./converter.ts";
export interface ConvertedVersion<Hub = unknown> {
    readonly resource: ResourceReference<unknown>;
    readonly toHub: (object: never) => Hub | Promise<Hub>;
    readonly fromHub: (object: Hub) => unknown;
}
export interface VersionConversions<T, Hub> {
    readonly toHub: (object: T) => Hub | Promise<Hub>;
    readonly fromHub: (object: Hub) => T | Promise<T>;
}
export interface ConversionOptions<Hub = unknown> extends WebhookHandlerOptions {
    readonly hub: ResourceReference<Hub>;
    readonly versions: readonly ConvertedVersion<Hub>[];
    readonly path?: string | undefined;
}
export interface ConversionHandler {
    (request: Request): Promise<Response>;
    readonly path: string;
    readonly registration: ConversionRegistration;
}
export declare function convertedVersion<T, Hub>(resource: ResourceReference<T>, conversions: VersionConversions<T, Hub>): ConvertedVersion<Hub>;
export declare function conversion<Hub = KubernetesObject>(options: ConversionOptions<Hub>): ConversionHandler;

// conversion/converter.ts
import type { ResourceReference } from "@listwatch/client";
import { type JsonObject } from "@listwatch/core-fifo/base";
export interface UntypedVersion {
    readonly resource: ResourceReference<unknown>;
    toHub(object: unknown): unknown;
    fromHub(object: unknown): unknown;
}
export interface ConversionRegistration {
    readonly type: "conversion";
    readonly group: string;
    readonly resource: string;
    readonly versions: readonly string[];
}
export declare class Converter {
    #private;
    readonly registration: ConversionRegistration;
    constructor(hub: ResourceReference<unknown>, versions: readonly UntypedVersion[]);
    check(apiVersion: unknown, place: string): void;
    convertAll(objects: readonly JsonObject[], desired: string, signal: AbortSignal): Promise<readonly unknown[]>;
}

// configurations/client-config.ts
import { type OptionsOf } from "@listwatch/core-fifo/base";
export interface WebhookService {
    readonly namespace: string;
    readonly name: string;
    readonly port?: number | undefined;
}
export interface WebhookAddress {
    readonly service?: WebhookService | undefined;
    readonly url?: string | undefined;
    readonly caBundle?: string | undefined;
}
export interface ClientConfig {
    service?: {
        namespace: string;
        name: string;
        path: string;
        port: number;
    } | undefined;
    url?: string | undefined;
    caBundle?: string | undefined;
}
export declare const addressTable: OptionsOf<WebhookAddress>;
export declare function checkAddress({ service, url }: WebhookAddress): void;
export declare function clientConfigOf({ caBundle, service, url }: WebhookAddress, path: string): ClientConfig;

// certificates/certificate-source.ts
import { ListwatchError, type Clock, type Log, type LogFields, type OptionCheck } from "@listwatch/core-fifo/base";
export interface ServingCertificate {
    readonly certificate: string;
    readonly key: string;
    readonly authority?: string | undefined;
}
export interface CertificateSource {
    readonly current: ServingCertificate | undefined;
    onChange(listener: (certificate: ServingCertificate) => void): () => void;
    run(signal: AbortSignal): Promise<void>;
}
export declare const aSource: OptionCheck;
export declare function createCertificateError(message: string, advice: string): ListwatchError;
interface FailureOptions {
    readonly clock?: Clock | undefined;
    readonly onError?: ((error: unknown) => void) | undefined;
    readonly log?: Log | undefined;
}
export declare class CurrentCertificate {
    #private;
    constructor({ clock, log, onError }: FailureOptions, fields: LogFields);
    get value(): ServingCertificate | undefined;
    onChange(listener: (certificate: ServingCertificate) => void): () => void;
    set(next: ServingCertificate): void;
    fail(error: unknown): void;
    close(): void;
}
export {};

// certificates/certificates-from-secret.ts
import type { Client } from "@listwatch/client";
import { type Clock, type Log } from "@listwatch/core-fifo/base";
import { type CertificateSource } from "./certificate-source.ts";
export interface SecretCertificateOptions {
    readonly namespace: string;
    readonly name: string;
    readonly clock?: Clock | undefined;
    readonly onError?: ((error: unknown) => void) | undefined;
    readonly log?: Log | undefined;
}
export declare function certificatesFromSecret(client: Client, options: SecretCertificateOptions): CertificateSource;

// patch/create-patch.ts
import type { JsonPatch } from "@listwatch/client";
export declare function createJsonPatch(before: unknown, after: unknown): JsonPatch;

// review/bad-review-error.ts
import { ListwatchError } from "@listwatch/core-fifo";
export declare class BadReviewError extends ListwatchError {
    readonly name: string;
    constructor(expected: string, got: string);
}

// routing/from-plugin.ts
import type { ReviewOperation, ReviewRequest, ReviewUser } from "../admission/admission-request.ts";
import type { AdmissionHandler } from "../admission/registration.ts";
import { type MutatingOptions } from "../admission/webhook-options.ts";
export interface PluginRequest {
    readonly uid: string;
    readonly kind: ReviewRequest["kind"];
    readonly resource: ReviewRequest["resource"];
    readonly subResource: string;
    readonly name: string;
    readonly namespace: string;
    readonly operation: ReviewOperation;
    readonly userInfo: ReviewUser;
    readonly object: PluginObject | null;
    readonly oldObject: PluginObject | null;
    readonly dryRun: boolean;
    readonly options: Readonly<Record<string, unknown>>;
}
export interface PluginObject {
    metadata: {
        labels?: Record<string, string> | undefined;
        annotations?: Record<string, string> | undefined;
        [field: string]: unknown;
    };
    [field: string]: unknown;
}
export interface PluginVerdict {
    readonly allowed: boolean;
    readonly message?: string | undefined;
    readonly code?: number | undefined;
    readonly reason?: string | undefined;
    readonly warnings?: readonly string[] | undefined;
}
export interface ReviewPlugin {
    readonly name: string;
    readonly match?: {
        readonly operations?: readonly ReviewOperation[] | undefined;
        readonly apiGroups?: readonly string[] | undefined;
        readonly resources?: readonly string[] | undefined;
    } | undefined;
    mutate?(request: PluginRequest): Readonly<Record<string, unknown>> | readonly object[] | undefined | void;
    validate?(request: PluginRequest): PluginVerdict | undefined | void;
}
export type PluginOptions = Omit<MutatingOptions, "operations" | "path" | "subresource">;
export declare function fromPlugin(plugin: ReviewPlugin, options?: PluginOptions): readonly AdmissionHandler[];

// certificates.ts
export type { CertificateSource, ServingCertificate } from "./certificates/certificate-source.ts";
export { certificatesFromSecret, type SecretCertificateOptions, } from "./certificates/certificates-from-secret.ts";
export { certificatesFromFiles, type FileCertificateOptions, } from "./certificates/node-certificates-from-files.ts";
export { rotatedCertificates } from "./certificates/rotated-certificates.ts";
export type { CertificateTimes, RotatedCertificateOptions, } from "./certificates/rotated-options.ts";

// certificates/node-certificates-from-files.ts
import { type Clock, type Log } from "@listwatch/core-fifo/base";
import { type CertificateSource } from "./certificate-source.ts";
export interface FileCertificateOptions {
    readonly certificate: string;
    readonly key: string;
    readonly authority?: string | undefined;
    readonly rereadMs?: number | undefined;
    readonly clock?: Clock | undefined;
    readonly onError?: ((error: unknown) => void) | undefined;
    readonly log?: Log | undefined;
}
export declare function certificatesFromFiles(options: FileCertificateOptions): CertificateSource;

// certificates/rotated-certificates.ts
import { type Client } from "@listwatch/client";
import { type CertificateSource } from "./certificate-source.ts";
import { type RotatedCertificateOptions } from "./rotated-options.ts";
export declare function rotatedCertificates(client: Client, options: RotatedCertificateOptions): CertificateSource;

// certificates/rotated-options.ts
import { type Clock, type Log } from "@listwatch/core-fifo/base";
import type { WebhookConfigurations } from "../configurations/configurations.ts";
export interface CertificateTimes {
    readonly validityMs?: number | undefined;
    readonly renewBeforeMs?: number | undefined;
    readonly clockSkewMs?: number | undefined;
    readonly checkMs?: number | undefined;
    readonly propagationMs?: number | undefined;
    readonly replicaTimeoutMs?: number | undefined;
}
export interface RotatedCertificateOptions {
    readonly namespace: string;
    readonly name: string;
    readonly configurations: WebhookConfigurations;
    readonly hosts?: readonly string[] | undefined;
    readonly isLeader?: (() => boolean) | undefined;
    readonly times?: CertificateTimes | undefined;
    readonly fieldManager?: string | undefined;
    readonly clock?: Clock | undefined;
    readonly onError?: ((error: unknown) => void) | undefined;
    readonly log?: Log | undefined;
}
export type Times = {
    readonly [K in keyof CertificateTimes]-?: number;
};
export declare function checkRotatedOptions(options: RotatedCertificateOptions): void;
export declare function timesOf(times?: CertificateTimes): Times;
export declare function hostsOf({ configurations, hosts }: RotatedCertificateOptions): readonly string[];

// node.ts
export { certificatesFromFiles, type FileCertificateOptions, } from "./certificates/node-certificates-from-files.ts";
export { serveWebhooks, type ServeWebhooksOptions, type WebhookServer, } from "./serving/node-serve-webhooks.ts";
export type { CertificateSource, ServingCertificate } from "./certificates/certificate-source.ts";

// serving/node-serve-webhooks.ts
import { type Clock, type Log } from "@listwatch/core-fifo/base";
import { type CertificateSource } from "../certificates/certificate-source.ts";
export interface ServeWebhooksOptions {
    readonly certificates: CertificateSource;
    readonly port?: number | undefined;
    readonly host?: string | undefined;
    readonly shutdownDelayMs?: number | undefined;
    readonly clock?: Clock | undefined;
    readonly signal?: AbortSignal | undefined;
    readonly log?: Log | undefined;
}
export interface WebhookServer extends AsyncDisposable {
    readonly port: number;
    readonly isReady: boolean;
    close(): Promise<void>;
}
export declare function serveWebhooks(handler: (request: Request) => Promise<Response>, options: ServeWebhooksOptions): Promise<WebhookServer>;

/**
 * Admission and conversion webhooks as functions from `Request` to `Promise<Response>`: typed by
 * the resource, tested in process, and deployed on Node, Bun and Deno.
 *
 * @module
 */
export type {
  ReviewKind,
  ReviewOperation,
  ReviewRequest,
  ReviewResource,
  ReviewUser,
} from "./admission/admission-request.ts";
export { mutating, validating, type Reviewed } from "./admission/handlers.ts";
export type {
  AdmissionHandler,
  AdmissionRegistration,
  WebhookRule,
} from "./admission/registration.ts";
export type { AllowOptions, DenyOptions, Review, ReviewBase } from "./admission/review.ts";
export type {
  WebhookHandlerOptions,
  MatchCondition,
  MutatingOptions,
  ValidatingOptions,
  WebhookRegistrationOptions,
  WebhookSelector,
} from "./admission/webhook-options.ts";
export {
  applyWebhookConfigurations,
  webhookConfigurations,
  type ApplyConfigurationsOptions,
  type ConfigurationDraft,
  type DefinitionConversion,
  type WebhookConfigurationOptions,
  type WebhookConfigurations,
} from "./configurations/configurations.ts";
export type { CertificateSource, ServingCertificate } from "./certificates/certificate-source.ts";
export {
  certificatesFromSecret,
  type SecretCertificateOptions,
} from "./certificates/certificates-from-secret.ts";
export type { WebhookAddress, WebhookService } from "./configurations/client-config.ts";
export {
  conversion,
  convertedVersion,
  type ConversionHandler,
  type ConversionOptions,
  type ConvertedVersion,
  type VersionConversions,
} from "./conversion/conversion.ts";
export type { ConversionRegistration } from "./conversion/converter.ts";
export { createJsonPatch } from "./patch/create-patch.ts";
export { BadReviewError } from "./review/bad-review-error.ts";
export {
  fromPlugin,
  type PluginObject,
  type PluginOptions,
  type PluginRequest,
  type PluginVerdict,
  type ReviewPlugin,
} from "./routing/from-plugin.ts";
export {
  routeWebhooks,
  type WebhookHandler,
  type WebhookRouter,
} from "./routing/route-webhooks.ts";

/**
 * All layers of listwatch in one package: queues, stores, clients, reflectors, informers, work
 * queues, controllers and managers. Each layer can be installed alone as `@listwatch/…`, and costs
 * the same here as there.
 *
 * @module
 */
export * from "@listwatch/core-fifo";
export * from "@listwatch/store-indexer";
export * from "@listwatch/workqueue";
export * from "@listwatch/client";
export * from "@listwatch/reflector";
export * from "@listwatch/shared-informer";
export * from "@listwatch/controller";
export * from "@listwatch/manager";

/**
 * What registries, forges and vulnerability databases say about images; it knows no containers.
 * It imports platform, storage and observations, and is imported by monitoring and app alone.
 */
import { HOUR_MS } from "../contract/time.ts";
import type { Scheduler } from "../platform/scheduler.ts";
import type { ImageReaders, OpenReaders, ReadersOptions } from "./readers.ts";

export type { Changelog } from "./changelog/index.ts";
export {
  type ImageReference,
  LEAST_SCORES,
  type Package,
  type PackageList,
  parsePlatform,
  type Platform,
  type PlatformImage,
  RegistryError,
  SEVERITIES,
  type SeverityName,
  type Version,
  type Vulnerability,
  type VulnerabilityList,
} from "./image.ts";
export type { ImageReaders } from "./readers.ts";
export type { TagChoice, TagPlan } from "./versions/index.ts";

export interface Images {
  /** They are large, so they are loaded when they are first asked for. */
  readers(): Promise<ImageReaders>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Readers of names and versions alone: of a demo, whose registries are made up. */
export async function loadLocalReaders(): Promise<Pick<ImageReaders, "rules" | "readReference" | "mirrored">> {
  return (await import("./readers.ts")).openLocalReaders();
}

export function createImages({ scheduler, ...options }: ReadersOptions & { scheduler: Scheduler }): Images {
  let opened: Promise<OpenReaders> | undefined;

  return {
    readers: () => (opened ??= import("./readers.ts").then(({ openReaders }) => openReaders(options))),
    async start() {
      scheduler.every({
        name: "retention of what is known of images",
        everyMs: HOUR_MS,
        firstAfterMs: 140_000,
        // Until somebody asked for something there is nothing new to drop.
        run: async (signal) => (await opened)?.prune(signal),
      });
    },
    async stop() {
      (await opened)?.stop();
    },
  };
}

import type { Readable } from "node:stream";
import type { AttachedBills, ImageConfig, Platform, PlatformImage, Repository, Version } from "../image.ts";
import { createBills } from "./bills.ts";
import { createBlobs } from "./blobs.ts";
import { type ClientOptions, createClient } from "./client.ts";
import { createImages } from "./images.ts";
import { createManifests } from "./manifests.ts";
import { createTags } from "./tags.ts";

export { createKeychain, type Keychain } from "./keychain.ts";
export { mirrored, plainHttpOf, readReference } from "./reference.ts";

/** Registries, read only. Everything throws a RegistryError, and the signal's reason when that is aborted. */
export interface Registries {
  /** The digest that a tag or digest stands for now: of a list, where it leads to one. One small request when nothing changed. */
  digestOf(repository: Repository, version: Version, signal: AbortSignal): Promise<string>;
  /** The image of a platform. Without a platform only what is not a list of several is found. */
  image(repository: Repository, version: Version, platform: Platform | null, signal: AbortSignal): Promise<PlatformImage>;
  /** All tags, in no order; `complete` is false when there are more than are read. One small request when nothing changed and the registry allows. */
  tags(repository: Repository, signal: AbortSignal): Promise<{ tags: readonly string[]; complete: boolean }>;
  config(image: PlatformImage, signal: AbortSignal): Promise<ImageConfig>;
  /** A layer's bytes as they are stored, checked against its digest: the stream fails at its end when they differ, or as soon as they are too many. */
  blob(repository: Repository, digest: string, options: { maxBytes: number; signal: AbortSignal }): Promise<Readable>;
  /** Documents attached to an image that say what it is made of; without any when there are none. */
  billsOfMaterials(image: PlatformImage, signal: AbortSignal): Promise<AttachedBills>;
  stop(): void;
}

/** Registries by the OCI distribution specification, read only. All memory is bounded, and of this process alone. */
export function createRegistries(options: ClientOptions): Registries {
  const client = createClient(options);
  const manifests = createManifests(client);
  const blobs = createBlobs(client);
  const images = createImages(manifests, blobs);
  const tags = createTags(client, options.clock);
  return {
    digestOf: manifests.digestOf,
    image: images.image,
    tags: tags.list,
    config: images.config,
    blob: blobs.stream,
    billsOfMaterials: createBills(client, manifests, blobs),
    stop() {
      client.stop();
      for (const part of [manifests, images, tags]) part.clear();
    },
  };
}

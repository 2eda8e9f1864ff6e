import type { Clock } from "../../../platform/clock.ts";
import type { Log } from "../../../platform/log.ts";
import type { Outbound } from "../../../platform/outbound.ts";
import type { Registries } from "../seams.ts";
import { createBills } from "./bills.ts";
import { createBlobs } from "./blobs.ts";
import { createClient } from "./client.ts";
import { createImages } from "./images.ts";
import type { Keychain } from "./keychain.ts";
import { createManifests } from "./manifests.ts";
import { createTags } from "./tags.ts";

export { plainHttpOf } from "./hosts.ts";
export { createKeychain, type Keychain } from "./keychain.ts";
export { mirrored, readReference } from "./reference.ts";

export interface RegistriesOptions {
  outbound: Pick<Outbound, "open">;
  keychain: Keychain;
  /** Which registries are asked over plain http. */
  plainHttp: (registry: string) => boolean;
  clock: Clock;
  log: Log;
}

/** Registries by the OCI distribution specification, read only. All memory is bounded, and of this process alone. */
export function createRegistries({ outbound, keychain, plainHttp, clock, log }: RegistriesOptions): Registries {
  const client = createClient({ outbound, keychain, plainHttp, clock, log });
  const manifests = createManifests(client);
  const blobs = createBlobs(client);
  const images = createImages(manifests, blobs);
  const tags = createTags(client, clock);
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

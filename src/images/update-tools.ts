import type { ImageReference } from "./image.ts";
import type { Changelogs } from "./changelog/index.ts";
import type { PackageReader } from "./packages/index.ts";
import type { Registries } from "./registry/index.ts";
import type { TagRules } from "./versions/index.ts";
import type { VulnerabilityFinder } from "./vulnerabilities/index.ts";

/** The parts that ask the world and read what it answers: made when they are first needed, since they are large. */
export interface UpdateTools {
  registries: Registries;
  rules: TagRules;
  /** By Docker's rules. */
  readReference(image: string): ImageReference | { error: string };
  /** The same image as it is found in another registry; null: in its own. */
  mirrored(reference: ImageReference, registry: string | null): ImageReference;
  packages: PackageReader;
  vulnerabilities: VulnerabilityFinder;
  changelogs: Changelogs;
}

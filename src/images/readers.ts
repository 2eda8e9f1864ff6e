import type { Outbound, OutboundPrivateHost } from "../platform/outbound.ts";
import { type Changelogs, createChangelogs } from "./changelog/index.ts";
import type { ImageReference } from "./image.ts";
import { createPackageReader, type PackageReader, type PackagesOptions } from "./packages/index.ts";
import { createKeychain, createRegistries, mirrored, plainHttpOf, readReference, type Registries } from "./registry/index.ts";
import { createTagRules, type TagRules } from "./versions/index.ts";
import { createVulnerabilities, type VulnerabilityFinder } from "./vulnerabilities/index.ts";

export interface ReadersOptions extends Pick<PackagesOptions, "database" | "clock" | "log"> {
  /** Connections to registries, vulnerability databases and release notes. */
  outbound: Pick<Outbound, "open">;
  /** Those that may be asked over plain http, among others. */
  privateHosts: readonly OutboundPrivateHost[];
  registryAuthFile: string | undefined;
  home: string | undefined;
  osvUrl: string;
  osvDir: string | undefined;
  changelogToken: string | undefined;
}

/** What asks registries, forges and vulnerability databases about images, and reads their answers. */
export interface ImageReaders {
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

export interface OpenReaders extends ImageReaders {
  /** Drops what was kept of images and vulnerabilities that nobody asks about any more. */
  prune(signal: AbortSignal): Promise<void>;
  stop(): void;
}

/** What reads names and versions, and asks nobody. */
export function openLocalReaders(): Pick<ImageReaders, "rules" | "readReference" | "mirrored"> {
  return { rules: createTagRules(), readReference, mirrored };
}

export function openReaders(options: ReadersOptions): OpenReaders {
  const { outbound, privateHosts, registryAuthFile, home, osvUrl, osvDir, changelogToken, database, clock, log } = options;
  const keychain = createKeychain({ authFile: registryAuthFile, home, log });
  const registries = createRegistries({ outbound, keychain, plainHttp: plainHttpOf(privateHosts), clock, log });
  const packages = createPackageReader({ registries, database, clock, log });
  const vulnerabilities = createVulnerabilities({ outbound, osvUrl, osvDir, database, clock, log });
  const changelogs = createChangelogs({ outbound, token: changelogToken, database, clock, log });
  return {
    ...openLocalReaders(),
    registries,
    packages,
    vulnerabilities,
    changelogs,
    async prune(signal) {
      for (const part of [packages, vulnerabilities, changelogs]) if (!signal.aborted) await part.prune(signal);
    },
    stop() {
      registries.stop();
      vulnerabilities.stop();
    },
  };
}

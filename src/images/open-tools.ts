import type { Outbound, OutboundPrivateHost } from "../platform/outbound.ts";
import { createChangelogs } from "./changelog/index.ts";
import { createPackageReader, type PackagesOptions } from "./packages/index.ts";
import { createKeychain, createRegistries, mirrored, plainHttpOf, readReference } from "./registry/index.ts";
import type { UpdateTools } from "./update-tools.ts";
import { createTagRules } from "./versions/index.ts";
import { createVulnerabilities } from "./vulnerabilities/index.ts";

export interface ToolsOptions extends Pick<PackagesOptions, "database" | "clock" | "log"> {
  /** The way out to registries, vulnerability databases and release notes. */
  outbound: Pick<Outbound, "open">;
  /** Those that may be asked over plain http, among others. */
  privateHosts: readonly OutboundPrivateHost[];
  registryAuthFile: string | undefined;
  home: string | undefined;
  osvUrl: string;
  osvDir: string | undefined;
  changelogToken: string | undefined;
}

export interface OpenTools extends UpdateTools {
  /** Drops what was kept of images and vulnerabilities that nobody asks about any more. */
  prune(signal: AbortSignal): Promise<void>;
  stop(): void;
}

/** Everything that asks the world about images, put together. */
export function openTools(options: ToolsOptions): OpenTools {
  const { outbound, privateHosts, registryAuthFile, home, osvUrl, osvDir, changelogToken, database, clock, log } = options;
  const keychain = createKeychain({ authFile: registryAuthFile, home, log });
  const registries = createRegistries({ outbound, keychain, plainHttp: plainHttpOf(privateHosts), clock, log });
  const packages = createPackageReader({ registries, database, clock, log });
  const vulnerabilities = createVulnerabilities({ outbound, osvUrl, osvDir, database, clock, log });
  const changelogs = createChangelogs({ outbound, token: changelogToken, database, clock, log });
  return {
    registries,
    rules: createTagRules(),
    readReference,
    mirrored,
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

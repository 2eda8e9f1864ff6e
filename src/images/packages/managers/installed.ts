/** A package as a distribution's manager lists it. */
export interface SystemPackage {
  name: string;
  version: string;
  /** Null where it is the same. */
  source: { name: string; version: string } | null;
}

/** What a manager's database says. */
export interface SystemPackages {
  packages: SystemPackage[];
  /**
   * Files of packages of languages that the distribution installed. They are the distribution's business: it fixes them without
   * changing their version.
   */
  owned: string[];
}

/** Null where the source is no other. */
export function sourceBeside(name: string, version: string, source: SystemPackage["source"]): SystemPackage["source"] {
  return source === null || (source.name === name && source.version === version) ? null : source;
}

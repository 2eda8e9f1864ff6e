/** What a distribution says of itself in os-release(5), or a package URL says of it. */
export interface Distribution {
  id: string;
  /** `12`, `22.04`, `9.4`; empty when it has none. */
  versionId: string;
  /** With what `versionId` lacks: `22.03 (LTS-SP1)`. */
  version: string;
  /** `cpe:/o:redhat:enterprise_linux:9::baseos`; empty when it has none. */
  cpe: string;
}

/** How packages were installed. */
export type SystemManager = "dpkg" | "apk" | "rpm";

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

/** Where OSV keeps what it knows of a distribution's packages, or a sentence that says why there is no such place. */
export type Place = { ecosystem: string; note: string | null } | { ecosystem: null; note: string };

/** Reads the lines of os-release; undefined when it names no distribution. */
export function readOsRelease(text: string): Distribution | undefined {
  const values = new Map<string, string>();
  for (const line of text.split("\n")) {
    const parts = /^([A-Z_]+)=(.*)$/.exec(line.trim());
    if (parts !== null) values.set(parts[1] ?? "", unquoted(parts[2] ?? "").slice(0, 255));
  }
  const id = values.get("ID")?.toLowerCase() ?? "";
  if (!/^[a-z0-9._-]+$/.test(id)) return undefined;
  return { id, versionId: values.get("VERSION_ID") ?? "", version: values.get("VERSION") ?? "", cpe: values.get("CPE_NAME") ?? "" };
}

/**
 * Names a distribution as OSV does. OSV answers an unknown release like a clean image, so nothing is guessed: what is not in this table has no place.
 * Source: the OSV schema, "Defined ecosystems".
 */
export function placeOf(manager: SystemManager, distribution: Distribution | undefined): Place {
  if (distribution === undefined)
    return nowhere(`The image does not say which distribution it is, so its ${manager} packages are left out.`);
  const place = Object.hasOwn(PLACES[manager], distribution.id) ? PLACES[manager][distribution.id]?.(distribution) : undefined;
  if (place !== undefined) return typeof place === "string" ? { ecosystem: place, note: null } : place;
  const name = [distribution.id, distribution.versionId].filter((part) => part !== "").join(" ");
  return nowhere(`No vulnerabilities are published in OSV for the distribution "${name}", so its ${manager} packages are left out.`);
}

type Namer = (distribution: Distribution) => string | Place | undefined;

const PLACES: Record<SystemManager, Readonly<Record<string, Namer>>> = {
  dpkg: {
    debian: byMajor("Debian"),
    ubuntu: ({ versionId }) => {
      const [, year, month] = /^(\d+)\.(\d\d)$/.exec(versionId) ?? [];
      if (year === undefined) return undefined;
      // Every second year's April; the one exception came in June.
      const isLongTerm = (Number(year) % 2 === 0 && month === "04") || versionId === "6.06";
      return `Ubuntu:${versionId}${isLongTerm ? ":LTS" : ""}`;
    },
  },
  apk: {
    alpine: ({ versionId }) => {
      // Of the rolling branch the version is that of the release to come: `3.21.0_alpha20240807`.
      const [, branch] = /^(\d+\.\d+)(?:\.\d+)?(?:_rc\d+)?$/.exec(versionId) ?? [];
      return branch === undefined ? undefined : `Alpine:v${branch}`;
    },
    wolfi: () => "Wolfi",
    chainguard: () => "Chainguard",
    minimos: () => "MinimOS",
    alpaquita: ({ versionId }) => (/^(\d+|stream)$/.test(versionId) ? `Alpaquita:${versionId}` : undefined),
  },
  rpm: {
    rhel: redHat,
    redhat: redHat,
    rocky: byMajor("Rocky Linux"),
    almalinux: byMajor("AlmaLinux"),
    alma: byMajor("AlmaLinux"),
    mageia: byMajor("Mageia"),
    azurelinux: byMajor("Azure Linux"),
    mariner: byMajor("Azure Linux"),
    photon: ({ versionId }) => (/^\d+\.\d+$/.test(versionId) ? `Photon OS:${versionId}` : undefined),
    openeuler: ({ versionId, version }) => {
      const [, suffix] = /\((LTS(?:-SP\d+)?)\)/.exec(version) ?? [];
      return /^\d+\.\d+$/.test(versionId) && suffix !== undefined ? `openEuler:${versionId}-${suffix}` : undefined;
    },
    "opensuse-leap": ({ versionId }) => (/^\d+\.\d+$/.test(versionId) ? `openSUSE:Leap ${versionId}` : undefined),
    "opensuse-tumbleweed": () => "openSUSE:Tumbleweed",
    sles: suse,
    sled: suse,
    sle_hpc: suse,
  },
};

function byMajor(family: string): Namer {
  return ({ versionId }) => {
    const [major] = /^\d+/.exec(versionId) ?? [];
    return major === undefined ? undefined : `${family}:${major}`;
  };
}

function redHat({ cpe, versionId }: Distribution): Place | undefined {
  const [, named] = /^cpe:\/[oa]:redhat:([\w.:~-]+)$/.exec(cpe) ?? [];
  const [major] = /^\d+/.exec(versionId) ?? [];
  const stream = named ?? (major === undefined ? undefined : `enterprise_linux:${major}::baseos`);
  if (stream === undefined) return undefined;
  const note = `Red Hat publishes by product stream, and the image names only "${stream}": what concerns packages of other streams may be missing.`;
  return { ecosystem: `Red Hat:${stream}`, note };
}

function suse(): Place {
  return nowhere("SUSE publishes by product module, which the image does not name, so its rpm packages are left out.");
}

function nowhere(note: string): Place {
  return { ecosystem: null, note };
}

function unquoted(value: string): string {
  const [, , inner] = /^(["'])(.*)\1$/.exec(value.trim()) ?? [];
  return (inner ?? value.trim()).replace(/\\([\\"$`])/g, "$1");
}

import { compareApk } from "./orders/apk.ts";
import { compareDpkg } from "./orders/dpkg.ts";
import { type VersionOrder, comparePython, compareSemver } from "./orders/order.ts";
import { compareRpm } from "./orders/rpm.ts";

const ORDERS: ReadonlyMap<string, VersionOrder> = new Map<string, VersionOrder>([
  ...["Debian", "Ubuntu", "Echo"].map((name) => [name, compareDpkg] as const),
  ...["Alpine", "Alpaquita", "BellSoft Hardened Containers", "Chainguard", "MinimOS", "Wolfi"].map((name) => [name, compareApk] as const),
  ...["AlmaLinux", "Azure Linux", "Mageia", "Photon OS", "Red Hat", "Rocky Linux", "SUSE", "openEuler", "openSUSE"].map(
    (name) => [name, compareRpm] as const,
  ),
  ...["Go", "Hex", "Pub", "SwiftURL", "crates.io", "npm"].map((name) => [name, compareSemver] as const),
  ["PyPI", comparePython],
]);

/** How versions of an ecosystem follow each other; undefined where we do not know: there only listed versions are found. */
export function orderOf(ecosystem: string): VersionOrder | undefined {
  return ORDERS.get(baseOf(ecosystem));
}

/** `Debian:12` is of `Debian`. */
export function baseOf(ecosystem: string): string {
  const colon = ecosystem.indexOf(":");
  return colon === -1 ? ecosystem : ecosystem.slice(0, colon);
}

/** Distributions whose records name packages as they are installed; those of all others name source packages. */
const NAMED_AS_INSTALLED: readonly string[] = ["AlmaLinux", "Photon OS", "Red Hat"];

export function namesSources(ecosystem: string): boolean {
  return !NAMED_AS_INSTALLED.includes(baseOf(ecosystem));
}

const ANY_CASE: readonly string[] = ["NuGet", "Packagist"];

/** The same for all spellings of one package: what records and packages are compared by. */
export function packageKey(ecosystem: string, name: string): string {
  return `${ecosystemKey(ecosystem)}\n${nameKey(baseOf(ecosystem), name)}`;
}

/** Ubuntu's releases with and without `:LTS`; Red Hat's without the repository after `::`; the default registries without their address. */
function ecosystemKey(ecosystem: string): string {
  const base = baseOf(ecosystem);
  if (base === "Ubuntu") return ecosystem.replace(/:LTS$/, "");
  if (base === "Red Hat") return ecosystem.replace(/::.*$/, "");
  return ecosystem;
}

function nameKey(base: string, name: string): string {
  // Source: PEP 503.
  if (base === "PyPI") return name.toLowerCase().replace(/[-_.]+/g, "-");
  return ANY_CASE.includes(base) ? name.toLowerCase() : name;
}

const RED_HAT_REPOSITORIES = ["baseos", "appstream"];

/** How the database spells an ecosystem, which may take several names. Source: OSV schema, affected[].package. */
export function spellings(ecosystem: string): readonly string[] {
  // Each second April a release is supported for long, and its name says so.
  if (/^Ubuntu:(?:Pro:)?\d*[02468]\.04$/.test(ecosystem)) return [`${ecosystem}:LTS`];
  const [, stream] = /^(Red Hat:enterprise_linux:\d+)(?:::baseos)?$/.exec(ecosystem) ?? [];
  if (stream !== undefined) return RED_HAT_REPOSITORIES.map((repository) => `${stream}::${repository}`);
  return [ecosystem];
}

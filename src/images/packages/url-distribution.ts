import type { Distribution } from "./distribution.ts";
import type { PackageUrl } from "./package-url.ts";

/** Releases that package URLs call by name. */
const CODENAMES: ReadonlyMap<string, readonly [id: string, versionId: string]> = new Map<string, readonly [string, string]>([
  ["jessie", ["debian", "8"]],
  ["stretch", ["debian", "9"]],
  ["buster", ["debian", "10"]],
  ["bullseye", ["debian", "11"]],
  ["bookworm", ["debian", "12"]],
  ["trixie", ["debian", "13"]],
  ["trusty", ["ubuntu", "14.04"]],
  ["xenial", ["ubuntu", "16.04"]],
  ["bionic", ["ubuntu", "18.04"]],
  ["focal", ["ubuntu", "20.04"]],
  ["jammy", ["ubuntu", "22.04"]],
  ["noble", ["ubuntu", "24.04"]],
  ["oracular", ["ubuntu", "24.10"]],
  ["plucky", ["ubuntu", "25.04"]],
  ["questing", ["ubuntu", "25.10"]],
]);

/**
 * The distribution that a package URL says its package is of: `distro=debian-12`, `distro=3.20.1`, `distro=bookworm`, or `os_name` and
 * `os_version`. Undefined when it does not say.
 */
export function distributionOf({ namespace, qualifiers }: PackageUrl): Distribution | undefined {
  const vendor = namespace.toLowerCase();
  const osName = qualifiers.get("os_name");
  if (osName !== undefined) return distribution(osName, qualifiers.get("os_version") ?? "");
  const distro = qualifiers.get("distro")?.toLowerCase() ?? "";
  // Without releases: the name of the vendor is all there is to know.
  if (distro === "") return ROLLING.includes(vendor) ? distribution(vendor, "") : undefined;
  const codename = CODENAMES.get(distro.replace(/^(?:debian|ubuntu)-/, ""));
  if (codename !== undefined) return distribution(...codename);
  const [, id, versionId] = /^(?:([a-z][a-z0-9_]*(?:-[a-z]+)*)-?)??v?(\d[\w.]*)?$/.exec(distro) ?? [];
  if (id === undefined && versionId === undefined) return undefined;
  return distribution(id ?? vendor, versionId ?? "");
}

const ROLLING: readonly string[] = ["wolfi", "chainguard", "minimos"];

function distribution(id: string, versionId: string): Distribution {
  return { id: id.toLowerCase(), versionId, version: "", cpe: "" };
}

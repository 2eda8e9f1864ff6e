import type { Package } from "../image.ts";
import { type Distribution, placeOf, sourceBeside, type SystemManager } from "./distribution.ts";
import { normalizedPythonName } from "./managers/languages.ts";
import { sourceOfRpm, versionOfRpm } from "./managers/rpm.ts";

/** A package URL taken apart. Source: the purl specification. */
interface PackageUrl {
  type: string;
  namespace: string;
  name: string;
  version: string;
  qualifiers: ReadonlyMap<string, string>;
}

/**
 * Kinds as scanners have written them too. Source: the types that syft understands; BuildKit's documentation of SBOMs shows `pkg:alpine/busybox`.
 */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ["alpine", "apk"],
  ["crate", "cargo"],
  ["dotnet", "nuget"],
]);

/** Undefined when it is none, or names no version. */
export function readPackageUrl(text: string): PackageUrl | undefined {
  if (text.length > 2000) return undefined;
  const [, body = "", query = ""] = /^pkg:\/*([^?#]+)(?:\?([^#]*))?/i.exec(text) ?? [];
  const at = body.lastIndexOf("@");
  // A scope that was not encoded: `pkg:npm/@scope/name`.
  if (at <= body.lastIndexOf("/")) return undefined;
  try {
    const [type = "", ...path] = body
      .slice(0, at)
      .split("/")
      .filter((part) => part !== "")
      .map(decodeURIComponent);
    const name = path.pop();
    const version = decodeURIComponent(body.slice(at + 1));
    const written = type.toLowerCase();
    if (name === undefined || version === "" || !/^[a-z0-9.+-]{1,40}$/.test(written)) return undefined;
    const namespace = written === "alpine" && path.length === 0 ? "alpine" : path.join("/");
    return { type: ALIASES.get(written) ?? written, namespace, name, version, qualifiers: qualifiersOf(query) };
  } catch {
    return undefined;
  }
}

function qualifiersOf(query: string): Map<string, string> {
  const pairs = query.split("&").map((pair): [string, string] => {
    const equals = pair.indexOf("=");
    return [pair.slice(0, equals).toLowerCase(), decodeURIComponent(pair.slice(equals + 1))];
  });
  return new Map(pairs.filter(([key]) => key !== ""));
}

/** A package that a package URL names: as OSV names it, or left out for a reason. */
export type NamedPackage = { found: Package; note: string | null } | { leftOut: string };

/**
 * Names a package as OSV does. `image` is the distribution of the whole image, and `source` what is said of the source package elsewhere, for
 * package URLs that do not name theirs.
 */
export function packageOf(url: PackageUrl, image: Distribution | undefined, source: Package["source"] = null): NamedPackage {
  const manager = MANAGERS.get(url.type);
  if (manager !== undefined) return systemPackageOf(manager, url, { image, source });
  const named = LANGUAGES.get(url.type)?.(url);
  if (named === undefined) return { leftOut: `Vulnerabilities of the kind "${url.type}" are not looked up, so its packages are left out.` };
  return { found: { ecosystem: named.ecosystem, name: named.name, version: named.version ?? url.version, source: null }, note: null };
}

const MANAGERS: ReadonlyMap<string, SystemManager> = new Map([
  ["deb", "dpkg"],
  ["apk", "apk"],
  ["rpm", "rpm"],
]);

type Named = { ecosystem: string; name: string; version?: string };

const LANGUAGES: ReadonlyMap<string, (url: PackageUrl) => Named> = new Map<string, (url: PackageUrl) => Named>([
  ["npm", (url) => ({ ecosystem: "npm", name: joined(url, "/") })],
  ["pypi", ({ name }) => ({ ecosystem: "PyPI", name: normalizedPythonName(name) })],
  // OSV writes Go's versions without the letter.
  ["golang", (url) => ({ ecosystem: "Go", name: joined(url, "/"), version: url.version.replace(/^(?:v|go)(?=\d)/, "") })],
  ["maven", (url) => ({ ecosystem: "Maven", name: joined(url, ":") })],
  ["gem", ({ name }) => ({ ecosystem: "RubyGems", name })],
  ["cargo", ({ name }) => ({ ecosystem: "crates.io", name })],
  ["composer", (url) => ({ ecosystem: "Packagist", name: joined(url, "/").toLowerCase() })],
  ["nuget", ({ name }) => ({ ecosystem: "NuGet", name })],
  ["hex", ({ name }) => ({ ecosystem: "Hex", name })],
  ["pub", ({ name }) => ({ ecosystem: "Pub", name })],
]);

function systemPackageOf(
  manager: SystemManager,
  url: PackageUrl,
  beside: { image: Distribution | undefined; source: Package["source"] },
): NamedPackage {
  const place = placeOf(manager, distributionOf(url) ?? beside.image);
  if (place.ecosystem === null) return { leftOut: place.note };
  const version = withEpoch(url.version, url.qualifiers.get("epoch"));
  const source = sourceOf(manager, url, version) ?? beside.source;
  const found = { ecosystem: place.ecosystem, name: url.name, version, source: sourceBeside(url.name, version, source) };
  return { found, note: place.note };
}

/** Puts an epoch that is stated separately before a version of rpm or dpkg: `1:3.0.7-24.el9`. Trivy does so for both. */
export function withEpoch(version: string, epoch: string | undefined): string {
  return /^\d+:/.test(version) ? version : versionOfRpm(Number(epoch || 0), version);
}

/** `upstream=glibc`, `upstream=glibc@2.36-9`, `upstream=glibc-2.34-60.el9.src.rpm`. */
function sourceOf(manager: SystemManager, { qualifiers }: PackageUrl, version: string): Package["source"] {
  const upstream = qualifiers.get("upstream") ?? "";
  if (upstream === "") return null;
  if (manager === "rpm") return sourceOfRpm(upstream, Number(qualifiers.get("epoch") ?? 0));
  const at = upstream.indexOf("@");
  return at === -1 ? { name: upstream, version } : { name: upstream.slice(0, at), version: upstream.slice(at + 1) };
}

function joined({ namespace, name }: PackageUrl, separator: string): string {
  return namespace === "" ? name : `${namespace}${separator}${name}`;
}

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
function distributionOf({ namespace, qualifiers }: PackageUrl): Distribution | undefined {
  const vendor = namespace.toLowerCase();
  const osName = qualifiers.get("os_name");
  if (osName !== undefined) return distribution(osName, qualifiers.get("os_version") ?? "");
  // As trivy calls them: `opensuse.leap-15.5`, `cbl-mariner-2.0`.
  const distro = (qualifiers.get("distro")?.toLowerCase() ?? "").replace(/^opensuse\./, "opensuse-").replace(/^cbl-mariner/, "mariner");
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

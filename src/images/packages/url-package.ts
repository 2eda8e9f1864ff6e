import type { Package } from "../image.ts";
import { placeOf, type Distribution, type SystemManager } from "./distribution.ts";
import { normalizedPythonName } from "./managers/python.ts";
import { sourceOfRpm, versionOfRpm } from "./managers/rpm-name.ts";
import type { PackageUrl } from "./package-url.ts";
import { distributionOf } from "./url-distribution.ts";

/** A package that a package URL names: as OSV names it, left out for a reason, or undefined where OSV has no such kind of package. */
export type NamedPackage = { found: Package; note: string | null } | { leftOut: string } | undefined;

/** Names a package as OSV does. `image` is the distribution of the whole image, for package URLs that do not tell theirs. */
export function packageOf(url: PackageUrl, image: Distribution | undefined): NamedPackage {
  const manager = MANAGERS.get(url.type);
  if (manager !== undefined) return systemPackageOf(manager, url, image);
  const named = LANGUAGES.get(url.type)?.(url);
  if (named === undefined) return undefined;
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

function systemPackageOf(manager: SystemManager, url: PackageUrl, image: Distribution | undefined): NamedPackage {
  const place = placeOf(manager, distributionOf(url) ?? image);
  if (place.ecosystem === null) return { leftOut: place.note };
  const version = manager === "rpm" ? versionOfRpm(Number(url.qualifiers.get("epoch") ?? 0), url.version) : url.version;
  const source = sourceOf(manager, url, version);
  const isSame = source?.name === url.name && source.version === version;
  return { found: { ecosystem: place.ecosystem, name: url.name, version, source: isSame ? null : source }, note: place.note };
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

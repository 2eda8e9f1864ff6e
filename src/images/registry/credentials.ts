import { cleanName } from "../../platform/text.ts";
import type { Repository } from "../image.ts";
import type { CredentialFile } from "./schemas.ts";

export type Credentials =
  | { kind: "password"; username: string; password: string }
  /** To be exchanged for tokens. */
  | { kind: "identity"; token: string }
  /** Sent as it is. */
  | { kind: "registry"; token: string };

/** How files spell Docker Hub, without scheme and path. */
const DOCKER_HUB = ["docker.io", "index.docker.io", "registry-1.docker.io", "registry.hub.docker.com", "hub.docker.com", "www.docker.io"];

/** What a file has for a repository: an entry for a part of a registry counts for that part alone, and before one for the whole. */
export function credentialsFor(file: CredentialFile, { registry, repository }: Repository): Credentials | undefined {
  const fitting = Object.entries(file.auths ?? {})
    .map(([key, entry]) => ({ ...keyOf(key), entry }))
    .filter(({ host, path }) => host === registry && (path === "" || repository === path || repository.startsWith(`${path}/`)))
    .sort((a, b) => b.path.length - a.path.length);
  for (const { entry } of fitting) {
    const credentials = credentialsOf(entry);
    if (credentials !== undefined) return credentials;
  }
  return undefined;
}

/** Why a file has nothing for a registry, where a helper of Docker may have: helpers are programs, and none is run. */
export function whyNone(file: CredentialFile, registry: string, path: string): string {
  const helper = Object.entries(file.credHelpers ?? {}).find(([key]) => keyOf(key).host === registry)?.[1] ?? file.credsStore;
  if (helper === null || helper === undefined || helper === "") return `${path} has none for ${registry}`;
  const name = JSON.stringify(cleanName(helper, 40));
  return `${path} leaves them to the helper ${name}, and helpers are not run; the auth file of registries can hold them under "auths"`;
}

/** `https://index.docker.io/v1/`, `ghcr.io`, `quay.io/team`: a registry, and the part of it that is meant. */
function keyOf(key: string): { host: string; path: string } {
  const [host = "", ...parts] = key.replace(/^https?:\/\//i, "").split("/");
  const lower = host.toLowerCase();
  const path = parts.filter((part) => part !== "").join("/");
  return { host: DOCKER_HUB.includes(lower) ? "docker.io" : lower, path: /^v[12]$/.test(path) ? "" : path };
}

function credentialsOf(entry: NonNullable<CredentialFile["auths"]>[string]): Credentials | undefined {
  if (entry.registrytoken) return { kind: "registry", token: entry.registrytoken };
  if (entry.identitytoken) return { kind: "identity", token: entry.identitytoken };
  // Docker pads the decoded text with zeros at times.
  const decoded = Buffer.from(entry.auth ?? "", "base64")
    .toString("utf8")
    .replace(/\0+$/, "");
  const colon = decoded.indexOf(":");
  const username = colon > 0 ? decoded.slice(0, colon) : entry.username;
  const password = colon > 0 ? decoded.slice(colon + 1) : entry.password;
  return username && password ? { kind: "password", username, password } : undefined;
}

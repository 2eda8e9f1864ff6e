import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "../../platform/log.ts";
import { cleanName } from "../../platform/text.ts";
import type { Repository } from "../image.ts";
import { type CredentialFile, credentialFileSchema } from "./schemas.ts";

/** Credentials of registries, from a file as Docker keeps them. */
export interface Keychain {
  /** `note` ends the sentence `the registry was asked ...`: with whose credentials, or why with none. It never holds any. */
  find(repository: Repository): Promise<{ credentials: Credentials | undefined; note: string }>;
}

interface Reading {
  /** Of the file as it was. */
  stamp: string;
  file: CredentialFile | undefined;
  fault: string | null;
}

const LARGEST_FILE_BYTES = 1_048_576;

/** `authFile` in place of `.docker/config.json` below `home`. It is read when it is needed, and again when it changed. */
export function createKeychain({ authFile, home, log }: { authFile: string | undefined; home: string | undefined; log: Log }): Keychain {
  const path = authFile ?? (home === undefined ? undefined : join(home, ".docker", "config.json"));
  const shownPath = cleanName(path ?? "", 200);
  let last: Reading | undefined;

  async function read(from: string): Promise<Reading> {
    try {
      const { mtimeMs, size, ino } = await stat(from);
      const stamp = `${mtimeMs} ${size} ${ino}`;
      if (last?.stamp === stamp) return last;
      if (size > LARGEST_FILE_BYTES) return { stamp, file: undefined, fault: `${shownPath} is too large` };
      const parsed = credentialFileSchema.safeParse(jsonOf(await readFile(from, "utf8")));
      return { stamp, file: parsed.data, fault: parsed.success ? null : `${shownPath} is not in the form of Docker's config.json` };
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
      // Nobody promised that there is one at home.
      const fault = code === "ENOENT" && authFile === undefined ? null : `${shownPath} cannot be read (${code})`;
      return { stamp: code, file: undefined, fault };
    }
  }

  return {
    async find(repository) {
      if (path === undefined) return { credentials: undefined, note: "without credentials: no file with any is configured" };
      const reading = await read(path);
      if (reading.fault !== null && reading.fault !== last?.fault)
        log.warn({ fault: reading.fault }, "credentials of registries cannot be read");
      last = reading;
      if (reading.file === undefined)
        return { credentials: undefined, note: `without credentials: ${reading.fault ?? `there is no ${shownPath}`}` };
      const credentials = credentialsFor(reading.file, repository);
      if (credentials !== undefined) return { credentials, note: `with the credentials in ${shownPath}` };
      return { credentials, note: `without credentials: ${whyNone(reading.file, repository.registry, shownPath)}` };
    },
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

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

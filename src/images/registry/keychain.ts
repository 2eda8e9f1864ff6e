import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "../../platform/log.ts";
import { cleanName } from "../../platform/text.ts";
import type { Repository } from "../image.ts";
import { type Credentials, credentialsFor, whyNone } from "./credentials.ts";
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

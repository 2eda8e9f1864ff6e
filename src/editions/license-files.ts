import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { makeFolder } from "../platform/folder.ts";
import { readBoundedFile } from "../platform/bounded-file.ts";
import { messageOf } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";

const cacheSchema = z.object({ key: z.string() });
const windowSchema = z.object({ license_id: z.string(), opened_at: z.iso.datetime() });

const LARGEST_FILE = 16_384;

/** The two records that stay beside the instance whatever its database is, readable by its user alone. Source: specification, Limits. */
export interface LicenseFiles {
  cachedKey(): string | undefined;
  cacheKey(key: string): void;
  /** When a build that the licence does not cover first ran. */
  updateWindowOpenedAt(licenseId: string): Date | undefined;
  openUpdateWindow(licenseId: string, openedAt: Date): void;
}

export function licenseFiles(dataDir: string, { log, readOnly }: { log: Log; readOnly: boolean }): LicenseFiles {
  const cachePath = join(dataDir, "licence.json");
  const windowPath = join(dataDir, "update-window.json");

  /** A record that is missing is undefined; one that cannot be read is too, and says so. */
  function read<Schema extends z.ZodType>(path: string, schema: Schema): z.infer<Schema> | undefined {
    try {
      return schema.parse(JSON.parse(readBoundedFile(path, LARGEST_FILE)));
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) {
        log.warn(
          { path, reason: error instanceof z.ZodError ? "not the expected record" : messageOf(error) },
          "record ignored, it cannot be read",
        );
      }
      return undefined;
    }
  }

  /** Replaces the file whole, so that a crash leaves the old one and an old file's mode does not stay. */
  function write(path: string, record: unknown): void {
    if (readOnly) return;
    try {
      makeFolder(dataDir);
      writeFileSync(`${path}.new`, `${JSON.stringify(record)}\n`, { mode: 0o600 });
      renameSync(`${path}.new`, path);
    } catch (error) {
      log.warn({ path, reason: messageOf(error) }, "record not written");
    }
  }

  return {
    cachedKey: () => read(cachePath, cacheSchema)?.key,
    cacheKey: (key) => write(cachePath, { key }),
    updateWindowOpenedAt(licenseId) {
      const record = read(windowPath, windowSchema);
      return record?.license_id === licenseId ? new Date(record.opened_at) : undefined;
    },
    openUpdateWindow: (licenseId, openedAt) => write(windowPath, { license_id: licenseId, opened_at: openedAt.toISOString() }),
  };
}

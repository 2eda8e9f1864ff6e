import { join } from "node:path";
import { z } from "zod";
import { schemasOf } from "../http/later-schemas.ts";
import { type Route, route } from "../http/route.ts";
import type { Clock } from "../platform/clock.ts";
import { codeOf, messageOf } from "../platform/errors.ts";
import { makeFolder, readBoundedFile, writeWholeFile } from "../platform/files.ts";
import type { Log } from "../platform/log.ts";
import type { EditionView } from "./answers.ts";
import { type Capability, capabilitiesOf, type Edition, grants, type HistoryRange, historyRangesOf, requireCapability } from "./edition.ts";
import { community, coversBuild, readLicense, standingOf, type License, type Standing } from "./license.ts";

export { type Capability, type Edition, type HistoryRange, serverModeRefusal } from "./edition.ts";

export interface Editions {
  /** The edition in force now: it changes by itself when a licence runs out. */
  edition(): Edition;
  /** Throws EDITION_REQUIRED when the edition in force does not grant the capability. */
  require(capability: string): void;
  /** Whether the edition in force grants the capability. */
  grants(capability: Capability): boolean;
  historyRanges(): HistoryRange[];
  /** As the API answers it. */
  view(): EditionView;
  routes: Route[];
  /** Takes the key given now in place of the one given before. */
  reload(licenseKey: string | undefined): void;
}

export interface EditionsOptions {
  /** Without one, the last key that was verified here. */
  licenseKey: string | undefined;
  publicKeyPem: string | undefined;
  /** Where licence.json and update-window.json are. */
  dataDir: string;
  /** Nothing is written there. */
  readOnly?: boolean;
  buildDate: Date;
  clock: Clock;
  log: Log;
}

/** What is known of the licence between two readings of the key; what it is worth depends on the time. */
type Held = { license: License; updateWindowOpenedAt: Date | undefined } | { standing: Standing };

export function createEditions({ licenseKey, publicKeyPem, dataDir, readOnly = false, buildDate, clock, log }: EditionsOptions): Editions {
  const files = licenseFiles(dataDir, { log, readOnly });
  let held = hold(licenseKey);
  let logged: string | undefined;

  function hold(givenKey: string | undefined): Held {
    const key = givenKey ?? files.cachedKey();
    if (key === undefined) return { standing: community("none") };
    const license = readLicense(key, publicKeyPem);
    if ("fault" in license) return { standing: community("invalid", license.fault) };
    if (givenKey !== undefined && givenKey !== files.cachedKey()) files.cacheKey(givenKey);
    return { license, updateWindowOpenedAt: coversBuild(license, buildDate) ? undefined : openedUpdateWindow(license) };
  }

  function openedUpdateWindow(license: License): Date {
    const recorded = files.updateWindowOpenedAt(license.id);
    if (recorded !== undefined) return recorded;
    const now = clock.now();
    files.openUpdateWindow(license.id, now);
    return now;
  }

  function standing(): Standing {
    const current =
      "license" in held ? standingOf(held.license, { now: clock.now(), updateWindowOpenedAt: held.updateWindowOpenedAt }) : held.standing;
    if (logged !== `${current.edition} ${current.status}`) {
      logged = `${current.edition} ${current.status}`;
      const fields = {
        edition: current.edition,
        licence: current.status,
        ...(current.message === undefined ? {} : { reason: current.message }),
      };
      if (current.message === undefined) log.info(fields, "edition in force");
      else log.warn(fields, "edition in force");
    }
    return current;
  }

  function view(): EditionView {
    const { edition, status, message } = standing();
    const license = "license" in held ? held.license : undefined;
    return {
      edition,
      organisation: license?.organisation ?? null,
      licence: { status, expires_at: license?.expiresAt.toISOString() ?? null, message: message ?? null },
      capabilities: capabilitiesOf(edition),
      history_ranges: historyRangesOf(edition),
    };
  }

  function reload(givenKey: string | undefined): void {
    held = hold(givenKey);
    standing();
  }

  return editionsBy(() => standing().edition, view, reload);
}

/** Everything granted: of a demo, which watches nothing real. No licence key is read, and none is needed. */
export function createDemoEditions(): Editions {
  const edition = "pro";
  const view = (): EditionView => ({
    edition,
    organisation: null,
    licence: { status: "none", expires_at: null, message: "This is a demo. It shows what every edition can do, without a licence." },
    capabilities: capabilitiesOf(edition),
    history_ranges: historyRangesOf(edition),
  });
  return editionsBy(
    () => edition,
    view,
    () => undefined,
  );
}

function editionsBy(edition: Editions["edition"], view: Editions["view"], reload: Editions["reload"]): Editions {
  return {
    edition,
    require: (capability) => requireCapability(edition(), capability),
    grants: (capability) => grants(edition(), capability),
    historyRanges: () => historyRangesOf(edition()),
    view,
    routes: editionRoutes(view),
    reload,
  };
}

const cacheSchema = z.object({ key: z.string() });
const windowSchema = z.object({ license_id: z.string(), opened_at: z.iso.datetime() });

const LARGEST_FILE = 16_384;

/** The two records that stay beside the instance whatever its database is, readable by its user alone. Source: specification, Limits. */
interface LicenseFiles {
  cachedKey(): string | undefined;
  cacheKey(key: string): void;
  /** When a build that the licence does not cover first ran. */
  updateWindowOpenedAt(licenseId: string): Date | undefined;
  openUpdateWindow(licenseId: string, openedAt: Date): void;
}

function licenseFiles(dataDir: string, { log, readOnly }: { log: Log; readOnly: boolean }): LicenseFiles {
  const cachePath = join(dataDir, "licence.json");
  const windowPath = join(dataDir, "update-window.json");

  /** A record that is missing is undefined; one that cannot be read is too, and says so. */
  function read<Schema extends z.ZodType>(path: string, schema: Schema): z.infer<Schema> | undefined {
    try {
      return schema.parse(JSON.parse(readBoundedFile(path, LARGEST_FILE)));
    } catch (error) {
      if (codeOf(error) !== "ENOENT") {
        log.warn(
          { path, reason: error instanceof z.ZodError ? "not the expected record" : messageOf(error) },
          "record ignored, it cannot be read",
        );
      }
      return undefined;
    }
  }

  function write(path: string, record: unknown): void {
    if (readOnly) return;
    try {
      makeFolder(dataDir);
      writeWholeFile(path, `${JSON.stringify(record)}\n`);
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

const answer = schemasOf(() => import("./answers.ts"));

function editionRoutes(view: () => EditionView): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/edition",
      summary: "The edition in force, its licence, and what it grants",
      tag: "Meta",
      access: "admin",
      responses: { 200: answer("editionView") },
      handle: view,
    }),
  ];
}

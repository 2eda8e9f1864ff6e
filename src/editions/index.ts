import type { Route } from "../http/route.ts";
import type { Clock } from "../platform/clock.ts";
import type { Log } from "../platform/log.ts";
import type { EditionView } from "./answers.ts";
import { type Capability, capabilitiesOf, type Edition, grants, type HistoryRange, historyRangesOf } from "./edition.ts";
import { requireCapability } from "./gate.ts";
import { licenseFiles } from "./license-files.ts";
import { community, coversBuild, readLicense, standingOf, type License, type Standing } from "./license.ts";
import { editionRoutes } from "./routes.ts";

export type { Capability, Edition, HistoryRange } from "./edition.ts";
export { createDemoEditions } from "./demo.ts";
export { serverModeRefusal } from "./gate.ts";

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

  return {
    edition: () => standing().edition,
    require: (capability) => requireCapability(standing().edition, capability),
    grants: (capability) => grants(standing().edition, capability),
    historyRanges: () => historyRangesOf(standing().edition),
    view,
    routes: editionRoutes(view),
    reload(givenKey) {
      held = hold(givenKey);
      standing();
    },
  };
}

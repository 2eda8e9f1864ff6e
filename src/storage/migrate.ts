import { type Kysely, sql } from "kysely";
import { capitalise } from "../contract/words.ts";
import type { Clock, Timer } from "../platform/clock.ts";
import { messageOf, ServiceError, StartError } from "../platform/errors.ts";
import { type Log, silentLog } from "../platform/log.ts";
import { checksumOf, fillChecksums, readApplied, recordApplied, waitingMigrations } from "./applied-migrations.ts";
import type { Capabilities } from "./capabilities.ts";
import type { Migration } from "./migrations/migration.ts";
import { containers } from "./migrations/001-containers.ts";
import { resources } from "./migrations/002-resources.ts";
import { series } from "./migrations/003-series.ts";
import { endpoints } from "./migrations/004-endpoints.ts";
import { heartbeats } from "./migrations/005-heartbeats.ts";
import { certificates } from "./migrations/006-certificates.ts";
import { channels } from "./migrations/007-channels.ts";
import { routing } from "./migrations/008-routing.ts";
import { alerts } from "./migrations/009-alerts.ts";
import { deliveries } from "./migrations/010-deliveries.ts";
import { escalation } from "./migrations/011-escalation.ts";
import { statusComponents } from "./migrations/012-status-components.ts";
import { statusIncidents } from "./migrations/013-status-incidents.ts";
import { statusSettings } from "./migrations/014-status-settings.ts";
import { statusSubscribers } from "./migrations/015-status-subscribers.ts";
import { security } from "./migrations/016-security.ts";
import { containerImages } from "./migrations/017-container-images.ts";
import { updates } from "./migrations/018-updates.ts";
import { imagePackages } from "./migrations/019-image-packages.ts";
import { vulnerabilities } from "./migrations/020-vulnerabilities.ts";
import { changelogs } from "./migrations/021-changelogs.ts";
import { updateComparisons } from "./migrations/022-update-comparisons.ts";
import { agents } from "./migrations/023-agents.ts";
import { mcp } from "./migrations/024-mcp.ts";
import { lookingBack } from "./migrations/025-looking-back.ts";
import { askedEnds } from "./migrations/026-asked-ends.ts";
import { containerDown } from "./migrations/027-container-down.ts";
import { resolutions } from "./migrations/028-resolutions.ts";
import { pingGaps } from "./migrations/029-ping-gaps.ts";
import { certificatesEachMinute } from "./migrations/030-certificates-each-minute.ts";
import { generations } from "./migrations/031-generations.ts";
import { statusObserved } from "./migrations/032-status-observed.ts";
import { endedSessions } from "./migrations/033-ended-sessions.ts";
import { auditEntries } from "./migrations/034-audit-entries.ts";
import { leader } from "./migrations/035-leader.ts";
import { seriesRemovals } from "./migrations/036-series-removals.ts";
import { callerKeys } from "./migrations/037-caller-keys.ts";
import { sealedTables } from "./migrations/038-sealed-tables.ts";
import { kubernetesEvents } from "./migrations/039-kubernetes-events.ts";
import { workloadIdentities } from "./migrations/040-workload-identities.ts";
import { incidentImpacts } from "./migrations/041-incident-impacts.ts";
import { vapidKeys } from "./migrations/042-vapid-keys.ts";
import { healthFailures } from "./migrations/043-health-failures.ts";
import { outboxLanes } from "./migrations/044-outbox-lanes.ts";
import { alertsAtAMoment } from "./migrations/045-alerts-at-a-moment.ts";
import { statusScopes } from "./migrations/046-status-scopes.ts";
import { scopeThresholds } from "./migrations/047-scope-thresholds.ts";
import { plainNames } from "./migrations/048-plain-names.ts";
import { traceEvaluations } from "./migrations/049-trace-evaluations.ts";
import { pauses } from "./migrations/050-pauses.ts";
import { statusDomain } from "./migrations/051-status-domain.ts";
import { generationDepartures } from "./migrations/052-generation-departures.ts";
import { endpointObserved } from "./migrations/053-endpoint-observed.ts";
import { deliveryNotifications } from "./migrations/054-delivery-notifications.ts";

/** In the order in which they are applied; a released name never changes. */
export const MIGRATIONS: readonly Migration[] = [
  containers,
  resources,
  series,
  endpoints,
  heartbeats,
  certificates,
  channels,
  routing,
  alerts,
  deliveries,
  escalation,
  statusComponents,
  statusIncidents,
  statusSettings,
  statusSubscribers,
  security,
  containerImages,
  updates,
  imagePackages,
  vulnerabilities,
  changelogs,
  updateComparisons,
  agents,
  mcp,
  lookingBack,
  askedEnds,
  containerDown,
  resolutions,
  pingGaps,
  certificatesEachMinute,
  generations,
  statusObserved,
  endedSessions,
  auditEntries,
  leader,
  seriesRemovals,
  callerKeys,
  sealedTables,
  kubernetesEvents,
  workloadIdentities,
  incidentImpacts,
  vapidKeys,
  healthFailures,
  outboxLanes,
  alertsAtAMoment,
  statusScopes,
  scopeThresholds,
  plainNames,
  traceEvaluations,
  pauses,
  statusDomain,
  generationDepartures,
  endpointObserved,
  deliveryNotifications,
];

const PROGRESS_EVERY_MS = 10_000;

export interface MigrateOptions {
  database: Kysely<never>;
  capabilities: Capabilities;
  /** The name of the database in a sentence. */
  where: string;
  clock: Clock;
  /** Logs which migration is running, and of how many. */
  log?: Log;
  /** Why the database failed, in words. */
  reasonOf?(error: unknown): string;
  migrations?: readonly Migration[];
}

/**
 * Migrates the schema to that of this program, completely or not at all. Throws a StartError when a newer program wrote the database, when an applied
 * migration has changed since, or when a statement fails.
 */
export async function migrate({
  database,
  capabilities,
  where,
  clock,
  log = silentLog,
  reasonOf = messageOf,
  migrations = MIGRATIONS,
}: MigrateOptions): Promise<void> {
  const expected = { migrations, capabilities, where };
  await database.connection().execute(async (connection) => {
    const run = (text: string): Promise<unknown> => sql.raw(text).execute(connection);
    await run(capabilities.beginWrite);
    try {
      if (capabilities.migrationLock !== null) await run(capabilities.migrationLock);
      const applied = await readApplied(connection);
      const waiting = waitingMigrations(applied, expected);
      await fillChecksums(connection, applied, expected);
      const progress = createProgress({ of: waiting.length, clock, log });
      try {
        for (const migration of waiting) {
          progress.begin(migration.name);
          for (const statement of migration.statements(capabilities)) await run(statement);
          const checksum = checksumOf(migration, capabilities);
          await recordApplied(connection, { name: migration.name, appliedAt: clock.now(), checksum });
        }
        await run("COMMIT");
      } finally {
        progress.end();
      }
    } catch (error) {
      await run("ROLLBACK").catch(() => undefined);
      if (error instanceof StartError) throw error;
      const reason = reasonOf(error instanceof ServiceError ? error.cause : error);
      throw new StartError(`${capitalise(where)} could not be prepared and was left as it was: ${reason}.`, { cause: error });
    }
  });
}

/** Logs the progress with each migration, and every ten seconds during one. */
function createProgress({ of, clock, log }: { of: number; clock: Clock; log: Log }) {
  const since = clock.now().toISOString();
  let number = 0;
  let timer: Timer | undefined;

  function logProgress(migration: string, message: string): void {
    log.info({ migration, number, of, since }, message);
    timer = clock.after(PROGRESS_EVERY_MS, () => logProgress(migration, "still migrating the database"));
  }

  return {
    begin(migration: string): void {
      timer?.cancel();
      number += 1;
      logProgress(migration, "migrating the database");
    },
    end(): void {
      timer?.cancel();
    },
  };
}

import type { Capabilities } from "../capabilities.ts";
import type { Migration } from "./migration.ts";

/**
 * A container is a logical one: what has the same identity on its host is the same, and the containers that there were in its place are rows of their own.
 * What was re-created before is joined: the newest keeps its row and settings, the others' histories become its own.
 */
export const generations: Migration = {
  name: "031-generations",
  statements: (capabilities) => [
    "ALTER TABLE containers ADD COLUMN identity TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE containers ADD COLUMN generation BIGINT NOT NULL DEFAULT 1",
    "ALTER TABLE containers ADD COLUMN recreated_at BIGINT",
    "ALTER TABLE containers ADD COLUMN removed_at BIGINT",
    `CREATE TABLE container_generations (
      container_id BIGINT NOT NULL REFERENCES containers (id) ON DELETE CASCADE,
      agent_id TEXT,
      external_id TEXT NOT NULL,
      image TEXT NOT NULL,
      image_digest TEXT,
      created_at BIGINT,
      started_at BIGINT,
      ended_at BIGINT NOT NULL,
      end_reason TEXT NOT NULL
    )`,
    "CREATE UNIQUE INDEX container_generations_once ON container_generations (COALESCE(agent_id, ''), external_id)",
    "CREATE INDEX endpoints_container ON endpoints (container_id, label_key)",
    "CREATE INDEX container_generations_newest ON container_generations (container_id, ended_at)",
    "UPDATE containers SET removed_at = archived_at",
    `UPDATE containers SET identity = ${identity(capabilities)}`,
    // Who is joined into whom.
    `CREATE TABLE container_joins (container_id BIGINT PRIMARY KEY, into_id BIGINT NOT NULL, name TEXT NOT NULL)`,
    `INSERT INTO container_joins (container_id, into_id, name)
      SELECT id, into_id, name FROM (
        SELECT id, name, archived_at, FIRST_VALUE(id) OVER (
          PARTITION BY COALESCE(agent_id, ''), identity
          ORDER BY CASE WHEN archived_at IS NULL THEN 0 ELSE 1 END, CASE WHEN state = 'running' THEN 0 ELSE 1 END, last_observed_at DESC, id DESC
        ) AS into_id FROM containers
      ) AS ranked WHERE id <> into_id AND archived_at IS NOT NULL`,
    // Two that are there at once stay two.
    `UPDATE containers SET identity = identity || '#' || external_id WHERE archived_at IS NULL AND id NOT IN (
      SELECT FIRST_VALUE(id) OVER (
        PARTITION BY COALESCE(agent_id, ''), identity
        ORDER BY CASE WHEN state = 'running' THEN 0 ELSE 1 END, last_observed_at DESC, id DESC
      ) FROM containers WHERE archived_at IS NULL
    )`,
    "CREATE INDEX containers_identity_key ON containers (COALESCE(agent_id, ''), identity)",
    `INSERT INTO container_generations
      SELECT joins.into_id, agent_id, external_id, image, image_digest, created_at, started_at,
        CASE WHEN state IN ('exited', 'completed', 'dead') THEN last_state_change_at ELSE archived_at END,
        CASE WHEN oom_killed = 1 THEN 'oom_killed' WHEN state IN ('completed', 'dead') THEN state WHEN state <> 'exited' OR exit_code IS NULL THEN 'removed'
          WHEN stop_requested = 1 THEN 'stopped' ELSE 'failed' END
      FROM containers JOIN container_joins AS joins ON joins.container_id = containers.id`,
    `UPDATE transitions SET container_id = (SELECT into_id FROM container_joins WHERE container_joins.container_id = transitions.container_id)
      WHERE container_id IN (SELECT container_id FROM container_joins) AND NOT EXISTS (
        SELECT 1 FROM transitions AS same JOIN container_joins AS joins ON joins.into_id = same.container_id
        WHERE joins.container_id = transitions.container_id AND same.occurred_at = transitions.occurred_at
      )`,
    `UPDATE containers SET
        generation = 1 + (SELECT COUNT(*) FROM container_joins WHERE into_id = containers.id),
        recreated_at = COALESCE(created_at, first_seen_at),
        first_seen_at = (SELECT MIN(known.first_seen_at) FROM containers AS known JOIN container_joins AS joins ON joins.container_id = known.id
          WHERE joins.into_id = containers.id)
      WHERE id IN (SELECT into_id FROM container_joins)`,
    ...joinThresholds,
    ...joinEndpoints,
    "DELETE FROM containers WHERE id IN (SELECT container_id FROM container_joins)",
  ],
};

/** As src/monitoring/containers/container.ts has it; tasks of Swarm, whose names are their own, are named anew when they are seen. */
function identity({ jsonText }: Capabilities): string {
  const compose = (label: string): string => jsonText("labels", `com.docker.compose.${label}`);
  return `CASE
    WHEN ${compose("project")} <> '' AND ${compose("service")} <> '' AND ${compose("container-number")} <> ''
      AND LOWER(COALESCE(${compose("oneoff")}, '')) <> 'true'
      THEN 'compose:' || ${compose("project")} || '/' || ${compose("service")} || '/' || ${compose("container-number")}
    ELSE 'name:' || name END`;
}

/** Those of the newest that has some stay. */
const joinThresholds = [
  `INSERT INTO resource_thresholds (container_id, cpu_threshold, memory_threshold, debounce_seconds)
    SELECT into_id, cpu_threshold, memory_threshold, debounce_seconds FROM (
      SELECT joins.into_id, kept.cpu_threshold, kept.memory_threshold, kept.debounce_seconds,
        ROW_NUMBER() OVER (PARTITION BY joins.into_id ORDER BY known.last_observed_at DESC, known.id DESC) AS place
      FROM container_joins AS joins JOIN resource_thresholds AS kept ON kept.container_id = joins.container_id
      JOIN containers AS known ON known.id = joins.container_id
      WHERE joins.into_id NOT IN (SELECT container_id FROM resource_thresholds)
    ) AS ranked WHERE place = 1`,
];

/** The checks of a label's endpoints become those of the newest one. */
const joinEndpoints = [
  "CREATE TABLE endpoint_joins (endpoint_id BIGINT PRIMARY KEY, into_id BIGINT NOT NULL)",
  `INSERT INTO endpoint_joins (endpoint_id, into_id)
    SELECT id, into_id FROM (
      SELECT endpoints.id, FIRST_VALUE(endpoints.id) OVER (
        PARTITION BY COALESCE(joins.into_id, endpoints.container_id), label_key
        ORDER BY CASE WHEN inactive_since IS NULL THEN 0 ELSE 1 END, updated_at DESC, endpoints.id DESC
      ) AS into_id
      FROM endpoints LEFT JOIN container_joins AS joins ON joins.container_id = endpoints.container_id
      WHERE label_key IS NOT NULL AND endpoints.container_id IS NOT NULL
    ) AS ranked WHERE id <> into_id`,
  `UPDATE endpoint_chunks SET endpoint_id = (SELECT into_id FROM endpoint_joins WHERE endpoint_joins.endpoint_id = endpoint_chunks.endpoint_id)
    WHERE endpoint_id IN (SELECT endpoint_id FROM endpoint_joins)`,
  `INSERT INTO endpoint_days (endpoint_id, day, checks, failures, up_ms, down_ms, incidents)
    SELECT joins.into_id, day, SUM(checks), SUM(failures), SUM(up_ms), SUM(down_ms), SUM(incidents)
    FROM endpoint_days JOIN endpoint_joins AS joins ON joins.endpoint_id = endpoint_days.endpoint_id WHERE true GROUP BY joins.into_id, day
    ON CONFLICT (endpoint_id, day) DO UPDATE SET checks = endpoint_days.checks + excluded.checks, failures = endpoint_days.failures + excluded.failures,
      up_ms = endpoint_days.up_ms + excluded.up_ms, down_ms = endpoint_days.down_ms + excluded.down_ms,
      incidents = endpoint_days.incidents + excluded.incidents`,
  `UPDATE endpoints SET created_at = (SELECT MIN(known.created_at) FROM endpoints AS known JOIN endpoint_joins AS joins ON joins.endpoint_id = known.id
      WHERE joins.into_id = endpoints.id)
    WHERE id IN (SELECT into_id FROM endpoint_joins)`,
  "DELETE FROM endpoints WHERE id IN (SELECT endpoint_id FROM endpoint_joins)",
  "DROP TABLE endpoint_joins",
  `UPDATE endpoints SET container_id = (SELECT into_id FROM container_joins WHERE container_joins.container_id = endpoints.container_id)
    WHERE container_id IN (SELECT container_id FROM container_joins)`,
];

import type { Migration } from "./migration.ts";

/** The last end of a container of which it is known that it was asked for. */
const LAST_ASKED = `EXISTS (
  SELECT 1 FROM containers
  WHERE containers.id = transitions.container_id AND containers.stop_requested = 1 AND containers.state = 'completed'
    AND containers.last_state_change_at = transitions.occurred_at
)`;
const STATE_BEFORE = `(
  SELECT earlier.new_state FROM transitions AS earlier
  WHERE earlier.container_id = transitions.container_id AND earlier.occurred_at < transitions.occurred_at
  ORDER BY earlier.occurred_at DESC, earlier.id DESC LIMIT 1
)`;

/**
 * Ends that were asked for are told apart from jobs that finished: they are `exited` with `stop_requested`. Until now those by the signals of a stop
 * (exit codes 137 and 143) were `completed` when they were asked for, and only then; of those with exit code 0 only the last is known.
 */
export const askedEnds: Migration = {
  name: "026-asked-ends",
  statements: () => [
    "ALTER TABLE transitions ADD COLUMN stop_requested BIGINT NOT NULL DEFAULT 0",
    `UPDATE transitions SET new_state = 'exited', stop_requested = 1 WHERE new_state = 'completed' AND (exit_code IN (137, 143) OR ${LAST_ASKED})`,
    `UPDATE transitions SET previous_state = 'exited' WHERE previous_state = 'completed' AND ${STATE_BEFORE} = 'exited'`,
    "UPDATE containers SET state = 'exited' WHERE state = 'completed' AND stop_requested = 1",
  ],
};

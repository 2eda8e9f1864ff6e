/** What every event about an entity says. */
export interface EntityData {
  id: number;
  /** null is the local host. */
  agent_id: string | null;
  name: string;
  /** RFC 3339, UTC, milliseconds. */
  timestamp: string;
}

/** Source: specification, Limits. */
export const ENROLLMENT_BOUNDS = { ttlHours: 168, defaultTtlHours: 24, openTokens: 1_000 } as const;

/** Of an agent's label, in characters. Source: specification, Limits. */
export const AGENT_LABEL_LENGTH = 64;

export function isAgentLabelTooLong(label: string): boolean {
  // Of what is longer by far the beginning is enough.
  return [...label.slice(0, 4 * AGENT_LABEL_LENGTH)].length > AGENT_LABEL_LENGTH;
}

/** How an agent can be started, the most usual first. */
export const INSTALL_METHODS = ["docker_run", "docker_compose", "kubernetes", "standalone"] as const;
export type InstallMethod = (typeof INSTALL_METHODS)[number];

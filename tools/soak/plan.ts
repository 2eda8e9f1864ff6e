/** When programs are started again. One long life shows a slow leak, several short ones a leak from start to start. */
export interface Restart {
  atMs: number;
  what: "server" | "agents";
}

/** The server's second life begins after half of the time; agents begin theirs between. Shares of the whole. */
const SERVER_AT = [0.5, 0.6, 0.7, 0.8, 0.9];
const AGENTS_AT = [0.55, 0.65, 0.75, 0.85, 0.95];

export function planRestarts(wholeMs: number): Restart[] {
  const at = (shares: readonly number[], what: Restart["what"]): Restart[] => shares.map((share) => ({ atMs: share * wholeMs, what }));
  return [...at(SERVER_AT, "server"), ...at(AGENTS_AT, "agents")].sort((a, b) => a.atMs - b.atMs);
}

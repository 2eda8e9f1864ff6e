import type { AgentHello } from "../seams.ts";
import type { Commands } from "./commands.ts";
import type { Exchange } from "./exchange.ts";

/** An authenticated stream. */
export interface Session {
  agentId: string;
  hello: AgentHello;
  exchange: Exchange;
  commands: Commands;
  /** Resolves when the last of its batches is saved or given up. */
  finished: Promise<void>;
}

/** One stream an agent: a new one takes the place of the one before. */
export interface Sessions {
  of(agentId: string): Session | undefined;
  all(): Session[];
  /** Answers the one it replaces. */
  enter(session: Session): Session | undefined;
  /** False when another has taken its place. */
  leave(session: Session): boolean;
}

export function createSessions(): Sessions {
  const sessions = new Map<string, Session>();
  return {
    of: (agentId) => sessions.get(agentId),
    all: () => [...sessions.values()],
    enter(session) {
      const before = sessions.get(session.agentId);
      sessions.set(session.agentId, session);
      return before;
    },
    leave: (session) => sessions.get(session.agentId) === session && sessions.delete(session.agentId),
  };
}

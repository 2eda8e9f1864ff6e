/** What changed of container runtimes; see ../events.ts. */
export interface RuntimeEvents {
  /** Level-triggered: the container runtime was reached once, and has been lost for half a minute; `lost` false: it is back. */
  "runtime.lost": {
    agent_id: string | null;
    runtime: string;
    lost: boolean;
    error: string | null;
    /** It is back, and these containers, which ended with it, do not run: the first hundred by name. */
    stopped: string[];
    stopped_count: number;
    since: string;
    /** null while it is away. */
    back_at: string | null;
    timestamp: string;
  };
  "runtime.status_changed": { agent_id: string | null; runtime: string; connected: boolean; error: string | null; timestamp: string };
}

export const RUNTIME_EVENTS: Record<keyof RuntimeEvents, string> = {
  "runtime.lost": "the container runtime has been lost for half a minute, or is back without containers that stopped with it, or with all",
  "runtime.status_changed": "the container runtime was reached or lost",
};

/** When something began to happen, and what was published until then. */
export interface Since {
  at: Date;
  monotonicMs: number;
  heartbeat: HeartbeatTally;
  alertIds: ReadonlySet<number>;
  endedIds: ReadonlySet<number>;
  changes: ReadonlySet<string>;
}

/** What was counted of a heartbeat's day. */
export interface HeartbeatTally {
  countedMs: number;
  downMs: number;
}

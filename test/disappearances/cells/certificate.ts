import type { Expected } from "../kinds.ts";
import type { Scenario } from "../scenarios.ts";

const unaffected = {
  state: "valid",
  alert: "-",
  sent: "-",
  uptime: "-",
  page: "operational",
  timeline: "-",
  before: "expiring",
  pageBefore: "degraded",
};
const unreachable = {
  ...unaffected,
  state: "unreachable",
  page: "degraded",
  why: "What is known of its expiry still counts. An alert comes after ten minutes in which its container runs.",
};

export const certificate: Record<Scenario, Expected> = {
  crash: unreachable,
  oom: unreachable,
  stop: unreachable,
  pause: unreachable,
  removedLately: { ...unreachable, byAgent: { state: "valid, as last seen", page: "No data" } },
  removal: {
    ...unaffected,
    state: "gone",
    page: "gone",
    before: "expiring, resolved by removal",
    pageBefore: "gone",
  },
  recreated: unaffected,
  upgraded: unaffected,
  engineDeath: unreachable,
  engineDeathAndRestart: unreachable,
  hostReboot: unaffected,
  cutOff: { ...unaffected, state: "valid, as last seen", page: "No data" },
  healed: unaffected,
  serverRestart: unaffected,
  databaseGone: unaffected,
  diskFull: unaffected,
  clockForward: unaffected,
  clockBack: unaffected,
};

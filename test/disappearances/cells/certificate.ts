import type { Expected } from "../kinds.ts";
import type { Scenario } from "../scenarios.ts";

const goesOn = {
  state: "valid",
  alert: "-",
  sent: "-",
  uptime: "-",
  page: "operational",
  timeline: "-",
  before: "expiring",
  pageBefore: "degraded",
};
const unreachable = { ...goesOn, state: "unreachable", page: "degraded", why: "What is known of its expiry still counts." };

export const certificate: Record<Scenario, Expected> = {
  crash: unreachable,
  oom: unreachable,
  stop: unreachable,
  pause: unreachable,
  removedLately: { ...unreachable, byAgent: { state: "valid, as last seen", page: "No data" } },
  removal: {
    ...goesOn,
    state: "gone",
    page: "gone",
    before: "expiring, resolved by removal",
    pageBefore: "gone",
  },
  recreated: goesOn,
  upgraded: goesOn,
  engineDeath: unreachable,
  engineDeathAndRestart: unreachable,
  hostReboot: goesOn,
  cutOff: { ...goesOn, state: "valid, as last seen", page: "No data" },
  healed: goesOn,
  serverRestart: goesOn,
  databaseGone: goesOn,
  diskFull: goesOn,
  clockForward: goesOn,
  clockBack: goesOn,
};

import type { Expected } from "../kinds.ts";
import type { Scenario } from "../scenarios.ts";

const unaffected = {
  state: "10 %",
  alert: "-",
  sent: "-",
  uptime: "-",
  page: "-",
  timeline: "-",
  before: "memory_threshold",
  pageBefore: "-",
};
const unmeasured = { ...unaffected, state: "not measured", why: "That nothing is measured is not below the threshold." };
const recreated = { ...unaffected, before: "memory_threshold" };

export const resource: Record<Scenario, Expected> = {
  crash: unmeasured,
  oom: unmeasured,
  stop: unmeasured,
  pause: unaffected,
  removedLately: { ...recreated, state: "not measured" },
  removal: { ...unaffected, state: "gone", before: "memory_threshold, resolved by removal" },
  recreated,
  upgraded: recreated,
  engineDeath: unmeasured,
  engineDeathAndRestart: unmeasured,
  hostReboot: unaffected,
  cutOff: unmeasured,
  healed: unaffected,
  serverRestart: unaffected,
  databaseGone: unaffected,
  diskFull: unaffected,
  clockForward: unaffected,
  clockBack: unaffected,
};

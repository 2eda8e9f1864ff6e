import type { Expected } from "../kinds.ts";
import type { Scenario } from "../scenarios.ts";

const goesOn = {
  state: "10 %",
  alert: "-",
  sent: "-",
  uptime: "-",
  page: "-",
  timeline: "-",
  before: "memory_threshold",
  pageBefore: "-",
};
const unmeasured = { ...goesOn, state: "not measured", why: "That nothing is measured is not below the threshold." };
const recreated = { ...goesOn, before: "memory_threshold" };

export const resource: Record<Scenario, Expected> = {
  crash: unmeasured,
  oom: unmeasured,
  stop: unmeasured,
  pause: goesOn,
  removedLately: { ...recreated, state: "not measured" },
  removal: { ...goesOn, state: "gone", before: "memory_threshold, resolved by removal" },
  recreated,
  upgraded: recreated,
  engineDeath: unmeasured,
  engineDeathAndRestart: unmeasured,
  hostReboot: goesOn,
  cutOff: unmeasured,
  healed: goesOn,
  serverRestart: goesOn,
  databaseGone: goesOn,
  diskFull: goesOn,
  clockForward: goesOn,
  clockBack: goesOn,
};

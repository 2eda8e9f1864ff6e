import type { Expected } from "../kinds.ts";
import type { Scenario } from "../scenarios.ts";

const goesOn = {
  state: "available",
  alert: "-",
  sent: "-",
  uptime: "-",
  page: "-",
  timeline: "-",
  before: "available",
  pageBefore: "-",
};
const unseen = { ...goesOn, state: "available, as last seen" };

/** Of the container for which there is a newer image. */
export const update: Record<Scenario, Expected> = {
  crash: goesOn,
  oom: goesOn,
  stop: goesOn,
  pause: goesOn,
  removedLately: goesOn,
  removal: { ...goesOn, state: "gone", before: "available, resolved by removal" },
  recreated: { ...goesOn, before: "available" },
  upgraded: {
    ...goesOn,
    state: "up_to_date",
    before: "available, resolved by observation; also regression",
    why: "It runs the newer image, which is unhealthy within 15 minutes.",
  },
  engineDeath: unseen,
  engineDeathAndRestart: unseen,
  hostReboot: goesOn,
  cutOff: unseen,
  healed: goesOn,
  serverRestart: goesOn,
  databaseGone: goesOn,
  diskFull: goesOn,
  clockForward: goesOn,
  clockBack: goesOn,
};

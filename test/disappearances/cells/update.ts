import type { Expected } from "../kinds.ts";
import type { Scenario } from "../scenarios.ts";

const unaffected = {
  state: "available",
  alert: "-",
  sent: "-",
  uptime: "-",
  page: "-",
  timeline: "-",
  before: "available",
  pageBefore: "-",
};
const unseen = { ...unaffected, state: "available, as last seen" };

/** Of the container for which there is a newer image. */
export const update: Record<Scenario, Expected> = {
  crash: unaffected,
  oom: unaffected,
  stop: unaffected,
  pause: unaffected,
  removedLately: unaffected,
  removal: { ...unaffected, state: "gone", before: "available, resolved by removal" },
  recreated: { ...unaffected, before: "available" },
  upgraded: {
    ...unaffected,
    state: "up_to_date",
    before: "available, resolved by observation; also regression",
    why: "It runs the newer image, which is unhealthy within 15 minutes.",
  },
  engineDeath: unseen,
  engineDeathAndRestart: unseen,
  hostReboot: unaffected,
  cutOff: unseen,
  healed: unaffected,
  serverRestart: unaffected,
  databaseGone: unaffected,
  diskFull: unaffected,
  clockForward: unaffected,
  clockBack: unaffected,
};

import type { Expected } from "../kinds.ts";
import type { Scenario } from "../scenarios.ts";

const unaffected = {
  state: "up",
  alert: "-",
  sent: "-",
  uptime: "up",
  page: "operational",
  timeline: "-",
  before: "consecutive_failure",
  pageBefore: "major_outage",
};
/** Nothing checks an endpoint whose container does not run. */
const unchecked = {
  ...unaffected,
  state: "unknown",
  uptime: "not counted",
  page: "major_outage",
  timeline: "The endpoint became unknown.",
  why: "It takes the word of its container, whose alert stands for it.",
};
const unseen = { ...unaffected, state: "up, as last seen", uptime: "not counted", page: "No data" };
const recreated = {
  ...unaffected,
  uptime: "up",
  timeline: "The endpoint became up.",
  before: "consecutive_failure",
};
const refused = {
  ...unaffected,
  state: "down, as last seen",
  alert: "consecutive_failure, held",
  uptime: "down",
  page: "major_outage",
  timeline: "The endpoint became down.",
  why: "Its checks fail, and the alert of the host stands for it.",
};

export const endpoint: Record<Scenario, Expected> = {
  crash: unchecked,
  oom: unchecked,
  stop: unchecked,
  pause: unchecked,
  removedLately: unchecked,
  removal: {
    ...unaffected,
    state: "gone",
    uptime: "not counted",
    page: "gone",
    before: "consecutive_failure, resolved by removal",
    pageBefore: "gone",
  },
  recreated: { ...recreated, byAgent: { timeline: "-" } },
  upgraded: { ...recreated, byAgent: { timeline: "-" } },
  engineDeath: refused,
  engineDeathAndRestart: { ...refused, uptime: "down, while seen" },
  hostReboot: { ...unaffected, uptime: "up, while seen" },
  cutOff: unseen,
  healed: unaffected,
  serverRestart: { ...unaffected, uptime: "up, while seen", byAgent: { uptime: "up" } },
  databaseGone: unaffected,
  diskFull: unaffected,
  clockForward: { ...unaffected, uptime: "up, while seen" },
  clockBack: unaffected,
};

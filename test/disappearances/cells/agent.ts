import type { Expected } from "../kinds.ts";
import type { Scenario } from "../scenarios.ts";

const unaffected = {
  state: "connected",
  alert: "-",
  sent: "-",
  uptime: "-",
  page: "-",
  timeline: "-",
  before: "-",
  pageBefore: "-",
};
const OF_A_CONTAINER = "Its agent keeps running.";
const back = { ...unaffected, alert: "disconnected, resolved by observation", sent: "fired; resolved" };

export const agent: Record<Scenario, Expected> = {
  crash: OF_A_CONTAINER,
  oom: OF_A_CONTAINER,
  stop: OF_A_CONTAINER,
  pause: OF_A_CONTAINER,
  removedLately: OF_A_CONTAINER,
  removal: OF_A_CONTAINER,
  recreated: OF_A_CONTAINER,
  upgraded: OF_A_CONTAINER,
  engineDeath: unaffected,
  engineDeathAndRestart: unaffected,
  hostReboot: back,
  cutOff: {
    ...unaffected,
    state: "disconnected",
    alert: "disconnected",
    sent: "fired",
    timeline: "The agent was seen last then, and is disconnected.",
  },
  healed: back,
  serverRestart: unaffected,
  databaseGone: unaffected,
  diskFull: unaffected,
  clockForward: unaffected,
  clockBack: unaffected,
};

import type { Expected } from "../kinds.ts";
import type { Scenario } from "../scenarios.ts";

const unaffected = {
  state: "measured, engine there",
  alert: "-",
  sent: "-",
  uptime: "-",
  page: "-",
  timeline: "-",
  before: "-",
  pageBefore: "-",
};
const OF_A_CONTAINER = "Its host keeps running.";
const lost = { ...unaffected, state: "measured, engine lost", alert: "runtime_lost", sent: "fired" };

export const host: Record<Scenario, Expected> = {
  crash: OF_A_CONTAINER,
  oom: OF_A_CONTAINER,
  stop: OF_A_CONTAINER,
  pause: OF_A_CONTAINER,
  removedLately: OF_A_CONTAINER,
  removal: OF_A_CONTAINER,
  recreated: OF_A_CONTAINER,
  upgraded: OF_A_CONTAINER,
  engineDeath: lost,
  engineDeathAndRestart: lost,
  hostReboot: unaffected,
  cutOff: { ...unaffected, state: "not measured, engine not seen", why: "The alert of the agent stands for it." },
  healed: unaffected,
  serverRestart: unaffected,
  databaseGone: unaffected,
  diskFull: unaffected,
  clockForward: unaffected,
  clockBack: unaffected,
};

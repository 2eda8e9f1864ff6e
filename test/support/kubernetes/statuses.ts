/** What kubelets say of containers that do not run; see pods.ts for one that does. */

/** Has not started, and why. */
export function waitingStatus(
  reason: string,
  { message = "", restarts = 0, last }: { message?: string; restarts?: number; last?: object } = {},
) {
  return {
    ...{ name: "app", image: "app:1", imageID: "", ready: false, restartCount: restarts },
    state: { waiting: { reason, message } },
    lastState: last === undefined ? {} : { terminated: last },
  };
}

export function endOf(exitCode: number, reason: string, at = new Date()) {
  return { exitCode, reason, startedAt: at.toISOString(), finishedAt: at.toISOString() };
}

/** Has ended, and is not started again. */
export function endedStatus(exitCode: number, reason: string) {
  return {
    ...{ name: "app", image: "app:1", imageID: "", ready: false, restartCount: 0, lastState: {} },
    state: { terminated: endOf(exitCode, reason) },
  };
}

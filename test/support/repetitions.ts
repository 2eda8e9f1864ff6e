/** Whether the long form of the stories is wanted, as `npm run stories` says: on both databases, with hundreds of kills and real waiting. */
export function isLong(): boolean {
  return process.env["BINNACLE_TEST_LONG"] === "1";
}

/** Of a number that differs between the gate and the long form, the one for this run. */
export function repetitions({ gate, long }: { gate: number; long: number }): number {
  return isLong() ? long : gate;
}

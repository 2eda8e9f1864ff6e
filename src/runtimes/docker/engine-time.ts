import type { Clock } from "../../platform/clock.ts";
import type { EngineClient } from "./client.ts";
import { infoAnswer } from "./schemas.ts";

/** A manager of a swarm without a quorum answers for it after 20 seconds, while its containers go on. */
const EXACT_WITHIN_MS = 2_000;

/** What time it is for the engine, whose clock stamps its events. A proxy that denies /info still gives the second; our own clock is the last resort. */
export async function readEngineTime(client: EngineClient, clock: Clock, signal: AbortSignal): Promise<Date> {
  const late = new AbortController();
  const timer = clock.after(EXACT_WITHIN_MS, () => late.abort());
  const info = await client.json(infoAnswer, { route: "info" }, AbortSignal.any([signal, late.signal])).catch(() => undefined);
  timer.cancel();
  signal.throwIfAborted();
  const said = new Date(info?.SystemTime ?? Number.NaN);
  if (!Number.isNaN(said.getTime())) return said;
  const { headers } = await client.probe({ route: "ping" }, signal);
  const header = new Date(headers.date ?? Number.NaN);
  return Number.isNaN(header.getTime()) ? clock.now() : header;
}

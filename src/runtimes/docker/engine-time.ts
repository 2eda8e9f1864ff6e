import type { Clock } from "../../platform/clock.ts";
import type { EngineClient } from "./client.ts";
import { infoAnswer } from "./schemas.ts";

/** What time it is for the engine, whose clock stamps its events. A proxy that denies /info still gives the second; our own clock is the last resort. */
export async function readEngineTime(client: EngineClient, clock: Clock, signal: AbortSignal): Promise<Date> {
  const info = await client.json(infoAnswer, { route: "info" }, signal).catch(() => undefined);
  signal.throwIfAborted();
  const said = new Date(info?.SystemTime ?? Number.NaN);
  if (!Number.isNaN(said.getTime())) return said;
  const { headers } = await client.probe({ route: "ping" }, signal);
  const header = new Date(headers.date ?? Number.NaN);
  return Number.isNaN(header.getTime()) ? clock.now() : header;
}

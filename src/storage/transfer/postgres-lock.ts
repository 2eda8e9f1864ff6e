import type { Client } from "pg";
import { StartError } from "../../platform/errors.ts";
import type { Clock } from "../../platform/clock.ts";
import { Leadership } from "../leadership.ts";
import { openClient } from "../postgres.ts";

export interface PostgresPlace {
  url: string;
  /** The same without its password, for sentences. */
  redactedUrl: string;
}

/** Keeps every program from a PostgreSQL database until it is released. Throws a StartError while one has it. */
export async function lockPostgres(
  { url, redactedUrl }: PostgresPlace,
  clock: Clock,
): Promise<{ isHeld(): boolean; release(): Promise<void> }> {
  let isHeld = true;
  const leadership = new Leadership({ open: (): Promise<Client> => openClient({ url, redactedUrl }), clock });
  const isAcquired = await leadership.acquire(() => (isHeld = false));
  if (!isAcquired) {
    await leadership.release();
    throw new StartError(`The database at ${redactedUrl} is in use by a program that is running. Stop it first.`);
  }
  return { isHeld: () => isHeld, release: () => leadership.release() };
}

import { createHttpServer, type HttpServer, type HttpServerOptions } from "../http/server.ts";
import { refuseAll } from "../http/fallback.ts";
import { type Clock, pause } from "../platform/clock.ts";
import { messageOf } from "../platform/errors.ts";
import type { Log } from "../platform/log.ts";
import type { Database } from "../storage/database.ts";
import type { Health } from "./meta/answers.ts";
import { probeRoutes } from "./meta/routes.ts";

const TRY_EVERY_MS = 1000;
const SENTENCE = "Another server has the database. This one stands by, and takes over when that one is gone.";

export interface Standby {
  /** Waits until this program has the database to itself, and meanwhile answers that it waits; false when it was stopped before. Throws a StartError. */
  wait(): Promise<boolean>;
  stop(): Promise<void>;
}

export interface StandbyParts {
  database: Pick<Database, "acquire" | "capabilities">;
  http: Omit<HttpServerOptions, "routes" | "fallback">;
  mode: Health["mode"];
  clock: Clock;
  log: Log;
}

/** What a second server on one database does until the first is gone. */
export function createStandby({ database, http, mode, clock, log }: StandbyParts): Standby {
  const stopping = new AbortController();
  const { signal } = stopping;
  let waiting: Promise<boolean> | undefined;
  /** Why the database cannot be asked who has it. */
  let fault: string | null = null;

  async function wait(): Promise<boolean> {
    if (await database.acquire()) return true;
    log.warn({}, "another server has the database: standing by until it is gone");
    const server = openServer();
    await server.start();
    try {
      while (!signal.aborted) {
        await pause(clock, TRY_EVERY_MS, signal);
        if (!signal.aborted && (await attempt())) {
          log.warn({}, "the other server is gone: taking over");
          return true;
        }
      }
      return false;
    } finally {
      await server.stop();
    }
  }

  async function attempt(): Promise<boolean> {
    try {
      const isAcquired = await database.acquire();
      fault = null;
      return isAcquired;
    } catch (error) {
      if (fault === null) log.error({ reason: messageOf(error) }, "database lost while standing by");
      fault = messageOf(error);
      return false;
    }
  }

  function openServer(): HttpServer {
    const storage = () => ({ connected: fault === null, error: fault });
    return createHttpServer({
      ...http,
      routes: probeRoutes({
        health: () => ({
          status: "ok",
          version: http.version,
          mode,
          storage: { engine: database.capabilities.engine, connected: fault === null },
          runtime: { connected: false },
        }),
        readiness: () => ({ status: "standby", reason: fault ?? SENTENCE, storage: storage() }),
      }),
      // It has no admin token that they could be asked for.
      isBare: true,
      fallback: refuseAll("standby", () => ({ title: "Standing by", sentence: SENTENCE })),
    });
  }

  return {
    wait: () => (waiting ??= wait()),
    async stop() {
      stopping.abort();
      await waiting?.catch(() => undefined);
    },
  };
}

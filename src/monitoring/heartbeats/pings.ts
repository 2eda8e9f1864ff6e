import { KEPT_BODY_BYTES } from "../../contract/heartbeat.ts";
import type { Event } from "../../events.ts";
import { schemasOf } from "../../http/later-schemas.ts";
import { Answer, route, type Route, type RouteRequest } from "../../http/route.ts";
import { bodyHead } from "../../http/schemas.ts";
import { isServiceError, ServiceError } from "../../platform/errors.ts";
import { cleanName } from "../../platform/text.ts";
import { ONE_BY_ONE, pingEvents } from "./changes.ts";
import { applyPing, type Ping } from "./heartbeat.ts";
import type { PingOrigin } from "./rows.ts";
import type { HeartbeatParts } from "./serving.ts";
import type { Saving } from "./store.ts";

/** What a ping says. */
export type Signal = Omit<Ping, "at">;

/** Takes pings; each promise settles after the commit that keeps it. */
export interface PingIntake {
  /** Throws `not_found` for an unknown uuid, without touching the database. Rejects with `storage_unavailable`. */
  receive(uuid: string, signal: Signal, origin: PingOrigin): Promise<void>;
}

interface Arrival {
  id: number;
  ping: Ping & PingOrigin;
  resolve(): void;
  reject(error: unknown): void;
}

/** What is saved for one heartbeat and published of it afterwards. */
interface Plan extends Saving {
  steps: Saving["steps"][number][];
  past: Saving["past"][number][];
  events: Event[];
}

export function createPingIntake({ store, projection, serving, serial, bus, clock }: HeartbeatParts): PingIntake {
  /** What arrived since the turn before began: saved in one unit. */
  let arrivals: Arrival[] = [];
  let setBacks = 0;

  async function takeArrivals(taken: Arrival[]): Promise<void> {
    // Those of the same turn of the event loop belong together.
    await new Promise((resolve) => setImmediate(resolve));
    if (arrivals === taken) arrivals = [];
    try {
      await keep(taken);
    } catch (error) {
      // One that cannot be saved must not take the others with it.
      if (taken.length === 1 || isServiceError(error)) return taken.forEach(({ reject }) => reject(error));
      for (const arrival of taken) await keep([arrival]).catch(arrival.reject);
    }
  }

  async function keep(taken: readonly Arrival[]): Promise<void> {
    const plans = new Map<number, Plan>();
    for (const arrival of taken) plan(plans, arrival);
    const events = [...plans.values()].flatMap((each) => each.events);
    if (plans.size > 0) await store.save([...plans.values()], (unit) => bus.keep(unit, events));
    for (const { next } of plans.values()) projection.put(next);
    for (const { resolve } of taken) resolve();
    for (const event of events) bus.publish(event);
  }

  function plan(plans: Map<number, Plan>, { id, ping, reject }: Arrival): void {
    const known = plans.get(id);
    const previous = known?.next ?? projection.get(id);
    // Deleted while it waited.
    if (previous === undefined) return reject(unknownHeartbeat());
    const { next: changed, outcome, ended, past } = applyPing(previous, ping, serving.times());
    const next = { ...changed, id };
    const mine = known ?? { next, steps: [], past: [], events: [] };
    mine.next = next;
    mine.steps.push({ ended, ping: { ...ping, outcome } });
    mine.past.push(...past);
    mine.events.push(...pingEvents(previous, next, ping));
    plans.set(id, mine);
  }

  return {
    receive(uuid, signal, origin) {
      const known = projection.find(uuid.toLowerCase());
      if (known === undefined) throw unknownHeartbeat();
      // If the clock was set back since the last ping, what waits is saved and moved first: this one is by the new clock.
      void serving.checkClock();
      if (setBacks !== serving.setBacks()) arrivals = [];
      setBacks = serving.setBacks();
      const mine = arrivals;
      const ping = { ...signal, ...origin, at: clock.now() };
      return new Promise((resolve, reject) => {
        if (mine.push({ id: known.id, ping, resolve, reject }) === 1) void serial(ONE_BY_ONE, () => takeArrivals(mine));
      });
    },
  };
}

function unknownHeartbeat(): ServiceError {
  return new ServiceError("not_found", "There is no heartbeat with this address.");
}

const taken = schemasOf(() => import("./api.ts"));
const answer = schemasOf(() => import("./answers.ts"));

const common = { tag: "Ping routes", access: "public", query: taken("pingQuery"), responses: { 200: answer("pinged") } } as const;
const posted = {
  ...common,
  method: "POST",
  unaudited: "a ping is data: the heartbeat's history has it",
  body: bodyHead,
  bodyHeadBytes: KEPT_BODY_BYTES,
} as const;

/** Its body is a string: Node sends it in one piece with the headers, which a Buffer is not. */
const KEPT = new Answer(200, '{"ok":true}', { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" });

type PingRequest = RouteRequest<{ uuid: string }, { rid?: string | undefined }, unknown>;

/** The addresses that jobs call, without authentication: whoever knows the uuid may. Answered once the ping is kept. */
export function pingRoutes(intake: PingIntake): Route[] {
  async function take(request: PingRequest, signal: Omit<Signal, "rid">): Promise<Answer> {
    const rid = request.query.rid?.toLowerCase() ?? null;
    await intake.receive(request.params.uuid, { ...signal, rid }, originOf(request));
    return KEPT;
  }

  const plain = ([path, summary, kind]: [path: string, summary: string, kind: Signal["kind"]]): Route[] => {
    const handle = (request: PingRequest): Promise<Answer> => take(request, { kind, exitCode: null });
    return [
      route({ ...common, method: "GET", path, summary, params: taken("pingParams"), handle }),
      route({ ...posted, path, summary, params: taken("pingParams"), handle }),
    ];
  };
  const ended = (request: PingRequest & { params: { exit_code: number } }): Promise<Answer> =>
    take(request, { kind: "exit_code", exitCode: request.params.exit_code });
  const exitCode = {
    path: "/ping/{uuid}/{exit_code}",
    summary: "A job ended with this exit code; 0 is success",
    params: taken("exitCodeParams"),
  };

  return [
    ...plain(["/ping/{uuid}", "A job ended well", "success"]),
    ...plain(["/ping/{uuid}/start", "A job begins", "start"]),
    ...plain(["/ping/{uuid}/fail", "A job failed", "fail"]),
    ...plain(["/ping/{uuid}/log", "Something to note about a job; changes nothing", "log"]),
    route({ ...common, ...exitCode, method: "GET", handle: ended }),
    route({ ...posted, ...exitCode, handle: ended }),
  ];
}

function originOf({ clientAddress, method, headers, body }: PingRequest): PingOrigin {
  const userAgent = cleanName(headers["user-agent"] ?? "");
  return {
    sourceIp: clientAddress,
    method,
    userAgent: userAgent === "" ? null : userAgent,
    body: Buffer.isBuffer(body) ? textOf(body) : null,
  };
}

/** Read as UTF-8, without a character that the end cuts in two, and without NUL, which PostgreSQL cannot keep. */
function textOf(body: Buffer): string {
  return new TextDecoder().decode(body, { stream: body.length === KEPT_BODY_BYTES }).replaceAll("\0", "�");
}

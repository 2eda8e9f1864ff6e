import { createHistoryStore } from "../../src/monitoring/containers/history-store.ts";
import { type Span, uptimePercent } from "../../src/monitoring/containers/uptime.ts";
import { STEP_MS } from "./host.ts";
import type { Kind } from "./kinds.ts";
import type { HeartbeatTally, Since } from "./since.ts";
import type { World } from "./world.ts";

const SLICE_MS = 10_000;

interface Counted {
  upMs: number;
  downMs: number;
}

/** How the time since counts, in words; `-` of kinds without an uptime. */
export async function uptimeOf(world: World, kind: Kind, since: Since): Promise<string> {
  const to = world.clock.now().getTime();
  const passedMs = world.clock.monotonicMs() - since.monotonicMs;
  // Where the clock was set forward, the hour that was left out is part of it.
  const window = { from: Math.min(since.at.getTime(), to - passedMs), to };
  switch (kind) {
    case "container":
      return wordOf(await containerTime(world, window), window);
    case "endpoint":
    case "standalone":
      return wordOf(await checkedTime(world, kind, window), window);
    case "heartbeat": {
      const { countedMs, downMs } = heartbeatTally(world);
      const down = downMs - since.heartbeat.downMs;
      return wordOf({ upMs: countedMs - since.heartbeat.countedMs - down, downMs: down }, window);
    }
    default:
      return "-";
  }
}

export function heartbeatTally(world: World): HeartbeatTally {
  const { countedMs = 0, downMs = 0 } = world.running().heartbeats.find(world.ids.web.heartbeat)?.tally ?? {};
  return { countedMs, downMs };
}

/** Slice by slice, since a percentage says nothing of how much was counted. */
async function containerTime(world: World, { from, to }: Span): Promise<Counted> {
  const { containers } = world.running();
  const history = createHistoryStore(world.faults.database);
  const successor = containers.present.find(world.agentId, "web-2");
  const ids = [...new Set([world.ids.web.container, successor?.id ?? 0])];
  const [histories, watched] = await Promise.all([history.histories(new Date(0), ids), history.watched(new Date(0))]);
  const { archived_at: archivedAt } = await containers.service.detail(world.ids.web.container);
  const input = {
    before: null,
    changes: ids.flatMap((id) => histories.get(id)?.changes ?? []).toSorted((a, b) => a.at - b.at),
    watched: watched.get(world.agentId) ?? [],
    archivedAt: successor !== undefined || archivedAt === null ? null : Date.parse(archivedAt),
  };
  const counted = { upMs: 0, downMs: 0 };
  for (let at = from; at < to; at += SLICE_MS) {
    const percent = uptimePercent(input, { from: at, to: at + SLICE_MS });
    if (percent === null) continue;
    if (percent >= 50) counted.upMs += SLICE_MS;
    else counted.downMs += SLICE_MS;
  }
  return counted;
}

/** Each check speaks for the time until the next. */
async function checkedTime(world: World, kind: "endpoint" | "standalone", { from, to }: Span): Promise<Counted> {
  const span = { since: new Date(from).toISOString(), until: new Date(to).toISOString() };
  const { checks } = await world.running().endpoints.service.checks(world.ids.web[kind], { ...span, limit: 1000, offset: 0 });
  const upMs = checks.filter(({ success }) => success).length * STEP_MS;
  return { upMs, downMs: checks.length * STEP_MS - upMs };
}

/** How most of the time counts; what happens in the first and the last moments is left aside. */
function wordOf({ upMs, downMs }: Counted, { from, to }: Span): string {
  const share = (upMs + downMs) / (to - from);
  if (share < 0.05) return "not counted";
  const up = upMs / (upMs + downMs);
  const word = up > 0.85 ? "up" : up < 0.15 ? "down" : "up and down";
  return share < 0.75 ? `${word}, while seen` : word;
}
